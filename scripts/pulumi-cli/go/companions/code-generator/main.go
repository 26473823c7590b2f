// Command code-generator generates code for TypeScript, Python and Go.
package main

import (
	"pulumi-datapipes/scripts/pulumi-cli/codegen"

	"github.com/hashicorp/hcl/v2"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	codegen.Generators{
		Bind: func(spec schema.PackageSpec) (*schema.Package, error) {
			return schema.ImportSpec(spec, nil, schema.NewNullLoader(), schema.ValidationOptions{})
		},
		SDKs: map[string]func(*schema.Package) (codegen.Files, error){
			"nodejs": func(pkg *schema.Package) (codegen.Files, error) {
				return nodejs.GeneratePackage("pulumi", pkg, nil, nil, true, nil)
			},
			"python": func(pkg *schema.Package) (codegen.Files, error) {
				return python.GeneratePackage("pulumi", pkg, nil, nil)
			},
			"go": func(pkg *schema.Package) (codegen.Files, error) {
				return golang.GeneratePackage("pulumi", pkg, nil)
			},
		},
		// By the names that fences in the descriptions of a schema have.
		Programs: map[string]func(*pcl.Program) (codegen.Files, hcl.Diagnostics, error){
			"typescript": nodejs.GenerateProgram,
			"python":     python.GenerateProgram,
			"go":         golang.GenerateProgram,
		},
	}.Main()
}
