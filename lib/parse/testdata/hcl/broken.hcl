job "web" {
  group "app" {
    task "server" {
      driver = "docker"
    }
  }
}

variable "a" {
  default = [1, 2
}

variable "b" {}
