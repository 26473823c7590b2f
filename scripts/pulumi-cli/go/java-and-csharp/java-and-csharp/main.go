// Command java-and-csharp generates code for Java and C#: the newest generators of these two are no Go modules.
package main

import (
	"net/http"
	"net/http/httptest"
	"pulumi-datapipes/scripts/pulumi-cli/codegen"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

func main() {
	codegen.Generators{
		Bind: func(spec schema.PackageSpec) (*schema.Package, error) { return schema.ImportSpec(spec, nil) },
		SDKs: map[string]func(*schema.Package) (codegen.Files, error){
			// As `pulumi package add` does, without files for a build of its own.
			"java": func(pkg *schema.Package) (codegen.Files, error) {
				return java.GeneratePackage("pulumi", pkg, nil, true)
			},
			"csharp": csharpSDK,
		},
		// By the names that fences in the descriptions of a schema have.
		Programs: map[string]func(*pcl.Program) (codegen.Files, hcl.Diagnostics, error){
			"csharp": dotnet.GenerateProgram,
			"java":   java.GenerateProgram,
		},
	}.Main()
}

func csharpSDK(pkg *schema.Package) (codegen.Files, error) {
	// The generator fetches the logo, which the repository has only when it is published.
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	pkg.LogoURL = server.URL
	files, err := dotnet.GeneratePackage("pulumi", pkg, nil, nil)
	delete(files, "logo.png")
	return files, err
}
