// Java's SDK as Maven and its central registry want it. The generator writes files for Gradle alone, whose group is the package: but the registry
// gives an owner on GitHub the group by the owner's name, hyphens included, which a package of Java may not have; and it refuses a project
// without a name and a developer, as the generator writes it.

export const javaPackage = ({ language }) => `${language.java?.basePackage ?? "com.pulumi"}.esign`;

/** The group that its owner may publish in; Pulumi's while the source has no owner. */
const groupOf = ({ publisher }) => (publisher === undefined ? "com.pulumi" : `io.github.${publisher.toLowerCase()}`);

export const mavenProject = (schema) => `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${groupOf(schema)}</groupId>
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
  <scm><connection>scm:git:${schema.repository ?? ""}.git</connection><url>${schema.repository ?? ""}</url></scm>
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
    </plugins>
  </build>
</project>
`;
