import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import schema from "../../plugin/schema.json";
import { temporaryFolder } from "../../testkit/folder";
import { schemaExamples } from "../../testkit/schema-examples";
import { generateSdk } from "../../testkit/sdk";
import { pinnedVersion } from "../../tools/pulumi-cli/release";

const run = promisify(execFile);

/** The module that has the generated package. */
const MODULE = path.posix.dirname(schema.language.go.importBasePath);

const program = `package main

import (
	"${MODULE}/datapipes"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		orders, err := datapipes.NewPipe(ctx, "orders", &datapipes.PipeArgs{
			Source: &datapipes.PipeSourceArgs{Kafka: &datapipes.KafkaSourceArgs{
				Brokers:     pulumi.String("kafka.example.com:9092"),
				Topics:      pulumi.String("orders"),
				Credentials: &datapipes.CredentialsArgs{Username: pulumi.String("loader"), Password: pulumi.String("x")},
			}},
			Destination:    &datapipes.PipeDestinationArgs{Table: pulumi.String("orders")},
			Settings:       &datapipes.PipeSettingsArgs{ObjectStorageMaxInsertBytes: pulumi.Float64(10737418240)},
			DeletionPolicy: datapipes.DeletionPolicyDelete,
		})
		if err != nil {
			return err
		}
		backups, err := datapipes.GetBackups(ctx, &datapipes.GetBackupsArgs{})
		if err != nil {
			return err
		}
		ctx.Export("state", orders.State)
		ctx.Export("backups", pulumi.Int(len(backups.Backups)))
		return nil
	})
}
`;

const hasGo = spawnSync("go", ["version"]).status === 0;
const goTest = hasGo ? test : test.skip;
const withGo = hasGo ? "with Go" : "(needs Go: not found)";

goTest(`the generated SDK for Go, programs and the schema's examples pass go vet ${withGo}`, async () => {
  const folder = await temporaryFolder("go");
  await generateSdk("go", folder);
  await writeFile(path.join(folder, "go.mod"), `module ${MODULE}\n\ngo 1.25\n`);
  const { programs, wrong } = schemaExamples("go");
  const examples = programs.map((text, index) => [`examples/${index}`, text] as const);
  for (const [name, text] of [["program", program] as const, ...examples, ["wrong", wrong] as const]) {
    await mkdir(path.join(folder, name), { recursive: true });
    await writeFile(path.join(folder, name, "main.go"), text);
  }
  // As the CLI is built, so that Go compiles what both need once.
  const go = (...args: string[]) =>
    run("go", args, {
      cwd: folder,
      env: {
        ...process.env,
        GOWORK: "off",
        GOFLAGS: "-mod=mod -tags=osusergo,grpcnotrace",
        CGO_ENABLED: "0",
      },
    });
  await go("get", `github.com/pulumi/pulumi/sdk/v3@v${pinnedVersion}`);
  await go("mod", "tidy");
  const vet = go("vet", "./datapipes/...", "./program", "./examples/...");
  await expect(vet).resolves.toMatchObject({ stdout: "", stderr: "" });
  await expect(go("vet", "./wrong")).rejects.toThrow("unknown field Brokrs");
});
