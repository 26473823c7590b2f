import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import schema from "../../plugin/schema.json";
import { placesOf } from "../reference/plugin-schema/languages";
import { root } from "../release/address";
import { command, repository, version, writeTexts, type Sdk } from "./sdk";

const group = schema.language.java.basePackage;
const artifact = schema.name;

/** What the generated code needs, as a project of a user names it. */
const DEPENDENCIES = /<dependencies>[^]*<\/dependencies>/.exec(
  readFileSync(path.join(root, "examples/java/shop/pom.xml"), "utf8"),
)?.[0];

const element = (name: string, content: Readonly<Record<string, string | undefined>> | string): string => {
  const inside =
    typeof content === "string"
      ? content
      : Object.entries(content)
          .map(([key, value = ""]) => `<${key}>${value}</${key}>`)
          .join("");
  return `<${name}>${inside}</${name}>`;
};

const plugin = (groupId: string, artifactId: string, number: string, more = ""): string =>
  element(
    "plugin",
    `${element("groupId", groupId)}${element("artifactId", artifactId)}${element("version", number)}${more}`,
  );

const APACHE = "org.apache.maven.plugins";

const goal = (name: string): string =>
  element("executions", element("execution", `<id>${name}</id>${element("goals", element("goal", name))}`));

const PLUGINS = [
  plugin(APACHE, "maven-compiler-plugin", "3.14.0"),
  plugin(APACHE, "maven-source-plugin", "3.3.1", goal("jar-no-fork")),
  plugin(
    APACHE,
    "maven-javadoc-plugin",
    "3.11.2",
    `${element("configuration", { doclint: "none", quiet: "true" })}${goal("jar")}`,
  ),
  // The key comes from MAVEN_GPG_KEY, without a program for signatures.
  plugin(APACHE, "maven-gpg-plugin", "3.2.7", `${element("configuration", { signer: "bc" })}${goal("sign")}`),
  plugin(
    "org.sonatype.central",
    "central-publishing-maven-plugin",
    "0.8.0",
    `<extensions>true</extensions>${element("configuration", { publishingServerId: "central", autoPublish: "true" })}`,
  ),
].join("\n      ");

/** What Maven Central demands of a package. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${group}</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${version}</version>
  <name>${group}:${artifact}</name>
  <description>${schema.description}</description>
  <url>${repository}</url>
  <licenses>${element("license", { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0.txt" })}</licenses>
  <developers>${element("developer", { name: schema.publisher, url: path.dirname(repository) })}</developers>
  ${element("scm", { connection: `scm:git:${repository}.git`, url: repository })}
  ${element("properties", { "maven.compiler.release": "11", "project.build.sourceEncoding": "UTF-8" })}
  ${DEPENDENCIES ?? ""}
  <build>
    <plugins>
      ${PLUGINS}
    </plugins>
  </build>
</project>
`;

/** Maven reads the token from the environment. */
const SETTINGS = element(
  "settings",
  element(
    "servers",
    element("server", {
      id: "central",
      username: "${env.MAVEN_CENTRAL_USERNAME}",
      password: "${env.MAVEN_CENTRAL_PASSWORD}",
    }),
  ),
);

function pack(folder: string): void {
  writeTexts(folder, { name: `${group}:${artifact}` });
  writeFileSync(path.join(folder, "pom.xml"), POM);
  writeFileSync(path.join(folder, "settings.xml"), SETTINGS);
  // The generated code reads the first at its start, and Pulumi the second.
  const resources = path.join(folder, "src/main/resources", ...group.split("."), artifact);
  mkdirSync(resources, { recursive: true });
  writeFileSync(path.join(resources, "version.txt"), version);
  const info = { resource: true, name: artifact, server: placesOf(repository).pluginDownloadURL, version };
  writeFileSync(path.join(resources, "plugin.json"), JSON.stringify(info));
  maven(folder, "verify", "-Dgpg.skip");
  for (const kind of ["", "-sources", "-javadoc"])
    if (!existsSync(path.join(folder, "target", `${artifact}-${version}${kind}.jar`)))
      throw new Error(`Maven made no ${artifact}-${version}${kind}.jar.`);
}

const maven = (folder: string, ...args: readonly string[]): void => {
  command("mvn", ["--batch-mode", "--quiet", "--settings", "settings.xml", ...args], folder);
};

async function isPublished(): Promise<boolean> {
  const place = [...group.split("."), artifact, version, `${artifact}-${version}.pom`].join("/");
  const { status } = await fetch(`https://repo1.maven.org/maven2/${place}`, { method: "HEAD" });
  return status === 200;
}

export const java: Sdk = {
  name: `${group}:${artifact}`,
  pack,
  async publish(folder, { dryRun }) {
    if (dryRun) maven(folder, "deploy", "-Dgpg.skip", "-DskipPublishing=true");
    else if (await isPublished()) process.stdout.write(`${this.name} ${version} is published already\n`);
    else maven(folder, "deploy");
  },
};
