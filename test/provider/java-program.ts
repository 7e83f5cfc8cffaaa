/** The program in Java: written for what is wanted, since the compiler checks each argument against the generated SDK. */
import { sdkNames } from "../../cli/commands/export/sdk-names";
import type { Wanted } from "./programs";

const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** JSON's literals of texts are Java's, too. */
const literal = (value: unknown) => JSON.stringify(value);

function declare({ kind, name, args, after }: Wanted, names: readonly string[]): string {
  const values = Object.entries(args).map(([argument, value]) => {
    const isOfResource = argument === "account" && names.includes(value as string);
    const joined = `Output.format("%s%s", ${literal(value)}, ${variable(after ?? "")}.webhookId())`;
    const own = argument === "url" && after !== undefined ? joined : literal(value);
    return `.${argument}(${isOfResource ? `${variable(value as string)}.companyId()` : own})`;
  });
  const outputs = [["id", "id"], ...(kind === "Company" ? [["key", "apiKey"]] : [])];
  if (kind === "Webhook") outputs.push(["webhook", "webhookId"]);
  return `
      var ${variable(name)} = new ${kind}(${literal(name)}, ${kind}Args.builder()${values.join("")}.build());
${outputs.map(([output, member]) => `      ctx.export("${name}-${output}", ${variable(name)}.${member}());`).join("\n")}`;
}

/** What Maven needs for it: the sources of the SDK are the program's. */
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>program</groupId>
  <artifactId>program</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>com.pulumi</groupId><artifactId>pulumi</artifactId><version>1.13.2</version></dependency>
    <dependency><groupId>com.google.code.findbugs</groupId><artifactId>jsr305</artifactId><version>3.0.2</version></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>build-helper-maven-plugin</artifactId>
        <version>3.6.0</version>
        <executions>
          <execution>
            <phase>generate-sources</phase>
            <goals><goal>add-source</goal><goal>add-resource</goal></goals>
            <configuration>
              <sources><source>sdks/esign/src/main/java</source></sources>
              <resources><resource><directory>sdks/esign/src/main/resources</directory></resource></resources>
            </configuration>
          </execution>
        </executions>
      </plugin>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>exec-maven-plugin</artifactId>
        <version>3.5.0</version>
        <configuration><mainClass>program.App</mainClass></configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;

export const javaProject = { "Pulumi.yaml": "name: program\nruntime: java\n", "pom.xml": project };

export function javaProgram(wanted: readonly Wanted[]): string {
  const names = wanted.map(({ name }) => name);
  return `package program;

import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import ${sdkNames().language.java?.basePackage ?? "com.pulumi"}.esign.*;

public class App {
  public static void main(String[] args) {
    Pulumi.run(ctx -> {
${wanted.map((each) => declare(each, names)).join("\n")}
    });
  }
}
`;
}
