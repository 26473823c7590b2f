import { execFile, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../../testkit/folder";
import { schemaExamples } from "../../testkit/schema-examples";
import { generateSdk } from "../../testkit/sdk";

const hasJava = ["javac", "mvn"].every((command) => spawnSync(command, ["-version"]).status === 0);
const javaTest = hasJava ? test : test.skip;
const inJava = hasJava ? "in Java" : "(needs a JDK and Maven: not found)";

/** What the generated SDK needs, as its build file for Gradle says. */
const DEPENDENCIES = [
  "com.pulumi:pulumi:0.19.0",
  "com.google.code.findbugs:jsr305:3.0.2",
  "com.google.code.gson:gson:2.8.9",
];

const dependency = (coordinates: string): string => {
  const [group, artifact, version] = coordinates.split(":");
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
};

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId><artifactId>datapipes-test</artifactId><version>1.0</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>${DEPENDENCIES.map(dependency).join("")}</dependencies>
</project>
`;

javaTest(`the schema's examples ${inJava} compile with the generated SDK`, async () => {
  const folder = await temporaryFolder("java", { "pom.xml": POM });
  await generateSdk("java", folder);
  const { programs, wrong } = schemaExamples("java");
  const write = async (name: string, program: string) => {
    await mkdir(path.join(folder, "src/main/java", name));
    await writeFile(path.join(folder, "src/main/java", name, "App.java"), `package ${name};\n${program}`);
  };
  const compile = () => promisify(execFile)("mvn", ["--quiet", "--batch-mode", "compile"], { cwd: folder });
  for (const [index, program] of programs.entries()) await write(`example${index}`, program);
  await compile();
  await write("wrong", wrong);
  await expect(compile()).rejects.toMatchObject({ stdout: expect.stringContaining("brokrs") as unknown });
});
