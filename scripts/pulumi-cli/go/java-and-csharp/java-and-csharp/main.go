// Command java-and-csharp does for Java and C# what generate-sdk and convert-examples do for other languages: the newest generators of these two
// are no Go modules. With a folder it writes an SDK; without, it reads a JSON array of programs in YAML, and writes one of their forms by language.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi"

// A generator returns the only file of a program.
type generator = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

// By the names that fences in the descriptions of a schema have.
var generators = map[string]generator{"csharp": dotnet.GenerateProgram, "java": java.GenerateProgram}

func main() {
	var err error
	switch len(os.Args) {
	case 2:
		err = convertAll(os.Args[1])
	case 4:
		err = writeSDK(os.Args[1], os.Args[2], os.Args[3])
	default:
		err = fmt.Errorf("usage: java-and-csharp <schema file> [<java|csharp> <folder>]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeSDK(file, language, folder string) error {
	pkg, err := packageOf(file)
	if err != nil {
		return err
	}
	var files map[string][]byte
	if language == "java" {
		// As `pulumi package add` does, without files for a build of its own.
		files, err = java.GeneratePackage(tool, pkg, nil, true)
	} else {
		// The generator fetches the logo, which the repository has only when it is published.
		server := httptest.NewServer(http.NotFoundHandler())
		defer server.Close()
		pkg.LogoURL = server.URL
		files, err = dotnet.GeneratePackage(tool, pkg, nil, nil)
		delete(files, "logo.png")
	}
	if err != nil {
		return err
	}
	for name, text := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func convertAll(file string) error {
	var programs []string
	if err := json.NewDecoder(os.Stdin).Decode(&programs); err != nil {
		return err
	}
	pkg, err := packageOf(file)
	if err != nil {
		return err
	}
	converted := make([]map[string]string, 0, len(programs))
	for _, program := range programs {
		forms, err := convert(program, &loader{pkg})
		if err != nil {
			return fmt.Errorf("%w, in:\n%s", err, program)
		}
		converted = append(converted, forms)
	}
	return json.NewEncoder(os.Stdout).Encode(converted)
}

func convert(text string, loader schema.ReferenceLoader) (map[string]string, error) {
	forms := map[string]string{}
	for language, generate := range generators {
		// Generators change the program that they are given.
		template, problems, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte("name: example\n"+text))
		if err == nil && problems.HasErrors() {
			err = problems
		}
		if err != nil {
			return nil, err
		}
		// As Pulumi's converter, which takes names of the configuration for unknown and goes on.
		program, _, err := yaml.EjectProgram(template, loader)
		if err != nil {
			return nil, err
		}
		files, diagnostics, err := generate(program)
		if err == nil && diagnostics.HasErrors() {
			err = diagnostics
		}
		if err == nil && len(files) != 1 {
			err = fmt.Errorf("%d files", len(files))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", language, err)
		}
		for _, file := range files {
			forms[language] = string(file)
		}
	}
	return forms, nil
}

func packageOf(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	return schema.ImportSpec(spec, nil)
}

// A loader knows the package of one schema, and Pulumi's own.
type loader struct{ pkg *schema.Package }

func (l *loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	switch name {
	case l.pkg.Name:
		return l.pkg, nil
	case "pulumi":
		return schema.DefaultPulumiPackage, nil
	default:
		return nil, fmt.Errorf("no schema of the package %q", name)
	}
}

func (l *loader) LoadPackageV2(_ context.Context, asked *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(asked.Name, asked.Version)
}

func (l *loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l *loader) LoadPackageReferenceV2(
	_ context.Context, asked *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(asked.Name, asked.Version)
}
