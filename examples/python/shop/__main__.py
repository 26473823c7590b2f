"""Loads a shop's data from all four kinds of sources into a service, and its orders also into a service of another account.

Configure the service, the sources, and the other account:

    pulumi config set datapipes:baseUrl https://…
    pulumi config set datapipes:organizationId …
    pulumi config set datapipes:serviceId …
    pulumi config set datapipes:apiKeyId …
    pulumi config set --secret datapipes:apiKeySecret     # asks for the value
    pulumi config set endpointService <name of the endpoint service of the brokers>
    pulumi config set role <ARN of a role that reads the stream>
    pulumi config set --secret kafkaPassword     # asks for the value
    pulumi config set --secret storageSecretKey     # asks for the value
    pulumi config set --secret postgresPassword     # asks for the value
    pulumi config set america:organizationId …
    pulumi config set america:serviceId …
    pulumi config set america:apiKeyId …
    pulumi config set --secret america:apiKeySecret     # asks for the value

Then `pulumi up` creates everything, and a second `pulumi up` changes nothing. `pulumi config set flushIntervalMs 2000` changes one setting in place.
"""

import pulumi
import pulumi_datapipes as datapipes

config = pulumi.Config()
kafka_password = config.require_secret("kafkaPassword")

# Pipes reach the brokers through it, as they have no public address.
brokers = datapipes.ReversePrivateEndpoint("brokers",
    type=datapipes.ReversePrivateEndpointType.VPC_ENDPOINT_SERVICE,
    description="Kafka brokers of the shop",
    vpc_endpoint_service_name=config.require("endpointService"))

orders = datapipes.Pipe("orders",
    source={"kafka": {
        "brokers": "kafka.example.com:9092",
        "topics": "orders",
        "consumer_group": "orders-loader",
        "reverse_private_endpoint_ids": [brokers.id],
        # Pulumi encrypts every credential in the state and never shows it.
        "credentials": {"username": "orders-loader", "password": kafka_password},
    }},
    destination={
        "table": "orders",
        "managed_table": True,
        "table_definition": {"sorting_key": ["order_id"]},
        "columns": [{"name": "order_id", "type": "UInt64"}],
    },
    field_mappings=[{"source_field": "$.id", "destination_field": "order_id"}],
    # A change updates the pipe in place.
    settings={"streaming_max_insert_wait_ms": config.get_int("flushIntervalMs") or 5000},
    # Without it, the pipe keeps loading when the program no longer declares it.
    deletion_policy=datapipes.DeletionPolicy.DELETE)

datapipes.Pipe("clicks",
    source={"object_storage": {
        "url": "https://clicks.example.com/2026/*.json.gz",
        "is_continuous": True,
        "access_key": {"access_key_id": "clicks-reader", "secret_key": config.require_secret("storageSecretKey")},
    }},
    destination={"table": "clicks"},
    deletion_policy=datapipes.DeletionPolicy.DELETE)

datapipes.Pipe("visits",
    source={"kinesis": {"stream_name": "visits", "region": "eu-central-1", "iam_role": config.require("role")}},
    destination={"table": "visits"},
    deletion_policy=datapipes.DeletionPolicy.DELETE)

datapipes.Pipe("customers",
    source={"postgres": {
        "host": "db.example.com",
        "port": 5432,
        "database": "shop",
        "table_mappings": [{
            "source_schema_name": "public",
            "source_table": "customers",
            "target_table": "customers",
        }],
        "credentials": {"username": "replicator", "password": config.require_secret("postgresPassword")},
    }},
    destination={"database": "shop"},
    deletion_policy=datapipes.DeletionPolicy.DELETE)

# The service exists already: this declares who reaches it.
datapipes.ServiceSettings("settings",
    ip_access_list=[{"source": "192.0.2.0/24", "description": "Office"}],
    deletion_policy=datapipes.DeletionPolicy.DELETE)

# Another account. What its settings leave out, here the address, comes from the stack's configuration.
account = pulumi.Config("america")
america = datapipes.Provider("america",
    api_key_id=account.require("apiKeyId"),
    api_key_secret=account.require_secret("apiKeySecret"),
    organization_id=account.require("organizationId"),
    service_id=account.require("serviceId"))
datapipes.Pipe("orders-america",
    name="orders",
    source={"kafka": {
        "brokers": "kafka-america.example.com:9092",
        "topics": "orders",
        "credentials": {"username": "orders-loader", "password": kafka_password},
    }},
    destination={"table": "orders"},
    deletion_policy=datapipes.DeletionPolicy.DELETE,
    opts=pulumi.ResourceOptions(provider=america))

# Functions read what exists, also what the program has just created.
settings = datapipes.get_pipe_settings_output(pipe_id=orders.id)
pulumi.export("ordersState", orders.state)
pulumi.export("ordersFlushIntervalMs", settings.streaming_max_insert_wait_ms)
pulumi.export("backups", len(datapipes.get_backups().backups))
