// What Maven needs of a project in Java: of the SDK, as its central registry wants it, and of a program that has the SDK's sources.

export const javaPackage = ({ language }) => `${language.java?.basePackage ?? "com.pulumi"}.esign`;

/** The group that its owner may publish in; Pulumi's while the source has no owner. */
const groupOf = ({ publisher }) => (publisher === undefined ? "com.pulumi" : `io.github.${publisher.toLowerCase()}`);

/** A project with Pulumi's SDK and what a generated SDK needs besides. */
function project(identity, plugins = "") {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
${identity}
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
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>${plugins}
    </plugins>
  </build>
</project>
`;
}

/**
 * The SDK. The generator writes files for Gradle alone, whose group is the package: but the registry gives an owner on GitHub the group by the
 * owner's name, hyphens included, which a package of Java may not have; and it refuses a project without a name and a developer, as the generator
 * writes it.
 */
export const mavenProject = (schema) =>
  project(`  <groupId>${groupOf(schema)}</groupId>
  <artifactId>esign</artifactId>
  <version>${schema.version}</version>
  <name>Pulumi esign</name>
  <description>${schema.description}</description>
  <url>${schema.repository ?? ""}</url>
  <licenses>
    <license><name>${schema.license}</name><url>https://www.apache.org/licenses/LICENSE-2.0.txt</url></license>
  </licenses>
  <developers>
    <developer><id>${schema.publisher ?? ""}</id><name>${schema.publisher ?? ""}</name></developer>
  </developers>
  <scm><connection>scm:git:${schema.repository ?? ""}.git</connection><url>${schema.repository ?? ""}</url></scm>`);

/** A program, whose main class is `program.App`: the sources of the SDK that the CLI has generated beside it are its own. */
export const programProject = project(
  `  <groupId>program</groupId>
  <artifactId>program</artifactId>
  <version>1</version>`,
  `
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
      </plugin>`,
);
