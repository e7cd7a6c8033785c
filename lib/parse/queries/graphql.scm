; graphql
