# Where the data lies.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
  }
  backend "s3" {
    bucket = "state"
  }
}

provider "aws" {
  region = var.region
}

# The region for
# everything.
variable "region" {
  type        = string
  default     = "eu-west-1"
  description = "AWS region"

  validation {
    condition     = length(var.region) > 0
    error_message = "Empty."
  }
}

locals {
  # Tags of all resources.
  tags = {
    team = "core"
  }
  name = "${var.region}-data" // short
}

/* The bucket. */
resource "aws_s3_bucket" "data" {
  bucket = local.name
  count  = var.enabled ? 1 : 0

  lifecycle_rule {
    enabled = true
  }

  dynamic "rule" {
    for_each = var.rules
    content {
      id = rule.value
    }
  }
}

data "aws_iam_policy_document" "read" {
  statement {
    actions = ["s3:Get*"]
  }
}

module "vpc" {
  source = "terraform-aws-modules/vpc/aws"
  cidr   = <<-EOT
    10.0.0.0/16
  EOT
}

output "bucket_arn" {
  value = try(aws_s3_bucket.data[0].arn, "")
}

moved {
  from = aws_s3_bucket.old
  to   = aws_s3_bucket.data
}

import {
  to = aws_s3_bucket.data
  id = "data"
}

check "health" {
  assert {
    condition     = true
    error_message = "no"
  }
}
