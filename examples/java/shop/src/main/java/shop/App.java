package shop;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.resources.CustomResourceOptions;
import com.pulumi.datapipes.*;
import com.pulumi.datapipes.enums.*;
import com.pulumi.datapipes.inputs.*;

/**
 * Loads a shop's data from all four kinds of sources into a service, and its orders also into a service of another account.
 *
 * <p>Configure the service, the sources, and the other account:
 *
 * <pre>
 * pulumi config set datapipes:baseUrl https://…
 * pulumi config set datapipes:organizationId …
 * pulumi config set datapipes:serviceId …
 * pulumi config set datapipes:apiKeyId …
 * pulumi config set --secret datapipes:apiKeySecret     # asks for the value
 * pulumi config set endpointService &lt;name of the endpoint service of the brokers&gt;
 * pulumi config set role &lt;ARN of a role that reads the stream&gt;
 * pulumi config set --secret kafkaPassword     # asks for the value
 * pulumi config set --secret storageSecretKey     # asks for the value
 * pulumi config set --secret postgresPassword     # asks for the value
 * pulumi config set america:organizationId …
 * pulumi config set america:serviceId …
 * pulumi config set america:apiKeyId …
 * pulumi config set --secret america:apiKeySecret     # asks for the value
 * </pre>
 *
 * <p>Then `pulumi up` creates everything, and a second `pulumi up` changes nothing. `pulumi config set flushIntervalMs 2000` changes one setting in place.
 */
public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    private static void stack(Context ctx) {
        var config = ctx.config();
        var kafkaCredentials = CredentialsArgs.builder()
            .username("orders-loader")
            // Pulumi encrypts every credential in the state and never shows it.
            .password(config.requireSecret("kafkaPassword"))
            .build();

        // Pipes reach the brokers through it, as they have no public address.
        var brokers = new ReversePrivateEndpoint("brokers", ReversePrivateEndpointArgs.builder()
            .type(ReversePrivateEndpointType.VpcEndpointService)
            .description("Kafka brokers of the shop")
            .vpcEndpointServiceName(config.require("endpointService"))
            .build());

        var orders = new Pipe("orders", PipeArgs.builder()
            .source(PipeSourceArgs.builder()
                .kafka(KafkaSourceArgs.builder()
                    .brokers("kafka.example.com:9092")
                    .topics("orders")
                    .consumerGroup("orders-loader")
                    .reversePrivateEndpointIds(brokers.id().applyValue(java.util.List::of))
                    .credentials(kafkaCredentials)
                    .build())
                .build())
            .destination(PipeDestinationArgs.builder()
                .table("orders")
                .managedTable(true)
                .tableDefinition(TableDefinitionArgs.builder().sortingKey("order_id").build())
                .columns(DestinationColumnArgs.builder().name("order_id").type("UInt64").build())
                .build())
            .fieldMappings(FieldMappingArgs.builder().sourceField("$.id").destinationField("order_id").build())
            // A change updates the pipe in place.
            .settings(PipeSettingsArgs.builder()
                .streamingMaxInsertWaitMs(config.getInteger("flushIntervalMs").orElse(5000))
                .build())
            // Without it, the pipe keeps loading when the program no longer declares it.
            .deletionPolicy(DeletionPolicy.Delete)
            .build());

        new Pipe("clicks", PipeArgs.builder()
            .source(PipeSourceArgs.builder()
                .objectStorage(ObjectStorageSourceArgs.builder()
                    .url("https://clicks.example.com/2026/*.json.gz")
                    .isContinuous(true)
                    .accessKey(AccessKeyArgs.builder()
                        .accessKeyId("clicks-reader")
                        .secretKey(config.requireSecret("storageSecretKey"))
                        .build())
                    .build())
                .build())
            .destination(PipeDestinationArgs.builder().table("clicks").build())
            .deletionPolicy(DeletionPolicy.Delete)
            .build());

        new Pipe("visits", PipeArgs.builder()
            .source(PipeSourceArgs.builder()
                .kinesis(KinesisSourceArgs.builder()
                    .streamName("visits")
                    .region("eu-central-1")
                    .iamRole(config.require("role"))
                    .build())
                .build())
            .destination(PipeDestinationArgs.builder().table("visits").build())
            .deletionPolicy(DeletionPolicy.Delete)
            .build());

        new Pipe("customers", PipeArgs.builder()
            .source(PipeSourceArgs.builder()
                .postgres(PostgresSourceArgs.builder()
                    .host("db.example.com")
                    .port(5432)
                    .database("shop")
                    .tableMappings(TableMappingArgs.builder()
                        .sourceSchemaName("public")
                        .sourceTable("customers")
                        .targetTable("customers")
                        .build())
                    .credentials(CredentialsArgs.builder()
                        .username("replicator")
                        .password(config.requireSecret("postgresPassword"))
                        .build())
                    .build())
                .build())
            .destination(PipeDestinationArgs.builder().database("shop").build())
            .deletionPolicy(DeletionPolicy.Delete)
            .build());

        // The service exists already: this declares who reaches it.
        new ServiceSettings("settings", ServiceSettingsArgs.builder()
            .ipAccessList(IpAccessEntryArgs.builder().source("192.0.2.0/24").description("Office").build())
            .deletionPolicy(DeletionPolicy.Delete)
            .build());

        // Another account. What its settings leave out, here the address, comes from the stack's configuration.
        var account = ctx.config("america");
        var america = new Provider("america", ProviderArgs.builder()
            .apiKeyId(account.require("apiKeyId"))
            .apiKeySecret(account.requireSecret("apiKeySecret"))
            .organizationId(account.require("organizationId"))
            .serviceId(account.require("serviceId"))
            .build());
        new Pipe("orders-america", PipeArgs.builder()
            .name("orders")
            .source(PipeSourceArgs.builder()
                .kafka(KafkaSourceArgs.builder()
                    .brokers("kafka-america.example.com:9092")
                    .topics("orders")
                    .credentials(kafkaCredentials)
                    .build())
                .build())
            .destination(PipeDestinationArgs.builder().table("orders").build())
            .deletionPolicy(DeletionPolicy.Delete)
            .build(), CustomResourceOptions.builder().provider(america).build());

        // Functions read what exists, also what the program has just created.
        var settings = DatapipesFunctions.getPipeSettings(GetPipeSettingsArgs.builder().pipeId(orders.id()).build());
        ctx.export("ordersState", orders.state());
        ctx.export("ordersFlushIntervalMs", settings.applyValue(found -> found.streamingMaxInsertWaitMs()));
        ctx.export("backups", DatapipesFunctions.getBackups().applyValue(found -> found.backups().size()));
    }
}
