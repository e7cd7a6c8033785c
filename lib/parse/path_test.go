package parse

import "testing"

func TestFoldersOfSpecs(t *testing.T) {
	for path, want := range map[string]bool{
		"spec/spec_helper.rb": true, "core/spec/support/factory.rb": true, "spec/lib/helper.rb": true, "Specs/Support.cs": true,
		"packages/cli/specs/fixtures/app.ts": true, "specs/config.lisp": true,
		"packages/specs/schema/src/index.ts": false, "packages/specs/schema/src/index.spec.ts": true, "packages/specs/schema/test/helper.ts": true,
		"libmamba/src/specs/channel.cpp": false, "plot/src/commonMain/kotlin/spec/Option.kt": false, "nanoc-spec/lib/nanoc/spec/helper.rb": false,
		"vendor/openapi/pkg/validation/spec/info.go": false, "src/test/java/spec/Section.java": true, "src/specs/channel_spec.rb": true,
	} {
		if got := isTestPath(path); got != want {
			t.Errorf("%s is %t", path, got)
		}
	}
}
