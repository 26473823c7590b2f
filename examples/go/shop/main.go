// Loads a shop's data from all four kinds of sources into a service, and its orders also into a service of another account.
//
// Configure the service, the sources, and the other account:
//
//	pulumi config set datapipes:baseUrl https://…
//	pulumi config set datapipes:organizationId …
//	pulumi config set datapipes:serviceId …
//	pulumi config set datapipes:apiKeyId …
//	pulumi config set --secret datapipes:apiKeySecret     # asks for the value
//	pulumi config set endpointService <name of the endpoint service of the brokers>
//	pulumi config set role <ARN of a role that reads the stream>
//	pulumi config set --secret kafkaPassword     # asks for the value
//	pulumi config set --secret storageSecretKey     # asks for the value
//	pulumi config set --secret postgresPassword     # asks for the value
//	pulumi config set america:organizationId …
//	pulumi config set america:serviceId …
//	pulumi config set america:apiKeyId …
//	pulumi config set --secret america:apiKeySecret     # asks for the value
//
// Then `pulumi up` creates everything, and a second `pulumi up` changes nothing. `pulumi config set flushIntervalMs 2000` changes one setting in place.
package main

import (
	"example.com/pulumi-datapipes/sdk/go/datapipes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		flushIntervalMs := 5000
		if configured := cfg.GetInt("flushIntervalMs"); configured != 0 {
			flushIntervalMs = configured
		}

		// Pipes reach the brokers through it, as they have no public address.
		brokers, err := datapipes.NewReversePrivateEndpoint(ctx, "brokers", &datapipes.ReversePrivateEndpointArgs{
			Type:                   datapipes.ReversePrivateEndpointTypeVpcEndpointService,
			Description:            pulumi.String("Kafka brokers of the shop"),
			VpcEndpointServiceName: pulumi.String(cfg.Require("endpointService")),
		})
		if err != nil {
			return err
		}

		orders, err := datapipes.NewPipe(ctx, "orders", &datapipes.PipeArgs{
			Source: &datapipes.PipeSourceArgs{Kafka: &datapipes.KafkaSourceArgs{
				Brokers:                   pulumi.String("kafka.example.com:9092"),
				Topics:                    pulumi.String("orders"),
				ConsumerGroup:             pulumi.String("orders-loader"),
				ReversePrivateEndpointIds: pulumi.StringArray{brokers.ID().ToStringOutput()},
				// Pulumi encrypts every credential in the state and never shows it.
				Credentials: &datapipes.CredentialsArgs{
					Username: pulumi.String("orders-loader"),
					Password: cfg.RequireSecret("kafkaPassword"),
				},
			}},
			Destination: &datapipes.PipeDestinationArgs{
				Table:           pulumi.String("orders"),
				ManagedTable:    pulumi.Bool(true),
				TableDefinition: &datapipes.TableDefinitionArgs{SortingKey: pulumi.ToStringArray([]string{"order_id"})},
				Columns: datapipes.DestinationColumnArray{
					&datapipes.DestinationColumnArgs{Name: pulumi.String("order_id"), Type: pulumi.String("UInt64")},
				},
			},
			FieldMappings: datapipes.FieldMappingArray{
				&datapipes.FieldMappingArgs{
					SourceField:      pulumi.String("$.id"),
					DestinationField: pulumi.String("order_id"),
				},
			},
			// A change updates the pipe in place.
			Settings: &datapipes.PipeSettingsArgs{StreamingMaxInsertWaitMs: pulumi.Int(flushIntervalMs)},
			// Without it, the pipe keeps loading when the program no longer declares it.
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}

		_, err = datapipes.NewPipe(ctx, "clicks", &datapipes.PipeArgs{
			Source: &datapipes.PipeSourceArgs{ObjectStorage: &datapipes.ObjectStorageSourceArgs{
				Url:          pulumi.String("https://clicks.example.com/2026/*.json.gz"),
				IsContinuous: pulumi.Bool(true),
				AccessKey: &datapipes.AccessKeyArgs{
					AccessKeyId: pulumi.String("clicks-reader"),
					SecretKey:   cfg.RequireSecret("storageSecretKey"),
				},
			}},
			Destination:    &datapipes.PipeDestinationArgs{Table: pulumi.String("clicks")},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}

		_, err = datapipes.NewPipe(ctx, "visits", &datapipes.PipeArgs{
			Source: &datapipes.PipeSourceArgs{Kinesis: &datapipes.KinesisSourceArgs{
				StreamName: pulumi.String("visits"),
				Region:     pulumi.String("eu-central-1"),
				IamRole:    pulumi.String(cfg.Require("role")),
			}},
			Destination:    &datapipes.PipeDestinationArgs{Table: pulumi.String("visits")},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}

		_, err = datapipes.NewPipe(ctx, "customers", &datapipes.PipeArgs{
			Source: &datapipes.PipeSourceArgs{Postgres: &datapipes.PostgresSourceArgs{
				Host:     pulumi.String("db.example.com"),
				Port:     pulumi.Int(5432),
				Database: pulumi.String("shop"),
				TableMappings: datapipes.TableMappingArray{
					&datapipes.TableMappingArgs{
						SourceSchemaName: pulumi.String("public"),
						SourceTable:      pulumi.String("customers"),
						TargetTable:      pulumi.String("customers"),
					},
				},
				Credentials: &datapipes.CredentialsArgs{
					Username: pulumi.String("replicator"),
					Password: cfg.RequireSecret("postgresPassword"),
				},
			}},
			Destination:    &datapipes.PipeDestinationArgs{Database: pulumi.String("shop")},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}

		// The service exists already: this declares who reaches it.
		_, err = datapipes.NewServiceSettings(ctx, "settings", &datapipes.ServiceSettingsArgs{
			IpAccessList: datapipes.IpAccessEntryArray{
				&datapipes.IpAccessEntryArgs{Source: pulumi.String("192.0.2.0/24"), Description: pulumi.String("Office")},
			},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}

		// Another account. What its settings leave out, here the address, comes from the stack's configuration.
		account := config.New(ctx, "america")
		america, err := datapipes.NewProvider(ctx, "america", &datapipes.ProviderArgs{
			ApiKeyId:       pulumi.String(account.Require("apiKeyId")),
			ApiKeySecret:   account.RequireSecret("apiKeySecret"),
			OrganizationId: pulumi.String(account.Require("organizationId")),
			ServiceId:      pulumi.String(account.Require("serviceId")),
		})
		if err != nil {
			return err
		}
		_, err = datapipes.NewPipe(ctx, "orders-america", &datapipes.PipeArgs{
			Name: pulumi.String("orders"),
			Source: &datapipes.PipeSourceArgs{Kafka: &datapipes.KafkaSourceArgs{
				Brokers: pulumi.String("kafka-america.example.com:9092"),
				Topics:  pulumi.String("orders"),
				Credentials: &datapipes.CredentialsArgs{
					Username: pulumi.String("orders-loader"),
					Password: cfg.RequireSecret("kafkaPassword"),
				},
			}},
			Destination:    &datapipes.PipeDestinationArgs{Table: pulumi.String("orders")},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		}, pulumi.Provider(america))
		if err != nil {
			return err
		}

		// Functions read what exists, also what the program has just created.
		settings := datapipes.GetPipeSettingsOutput(ctx, datapipes.GetPipeSettingsOutputArgs{
			PipeId: orders.ID().ToStringOutput(),
		})
		backups, err := datapipes.GetBackups(ctx, &datapipes.GetBackupsArgs{})
		if err != nil {
			return err
		}
		ctx.Export("ordersState", orders.State)
		ctx.Export("ordersFlushIntervalMs", settings.StreamingMaxInsertWaitMs())
		ctx.Export("backups", pulumi.Int(len(backups.Backups)))
		return nil
	})
}
