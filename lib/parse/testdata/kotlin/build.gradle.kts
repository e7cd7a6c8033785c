import org.gradle.api.tasks.testing.Test

plugins {
  kotlin("jvm") version "2.0.0"
}

val platform = project.properties["platform"]

/** Runs the slow tests. */
val slow by tasks.registering(Test::class) {
  val inBlock = 1
  useJUnitPlatform()
}

fun version(name: String): String = name

tasks.withType<Test> {
  val local = 1
}
