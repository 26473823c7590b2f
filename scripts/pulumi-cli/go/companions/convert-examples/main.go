// Command convert-examples converts programs in YAML to other languages, with the libraries behind `pulumi convert --from yaml`: the hosts that
// are Go modules are too old to answer that command. It reads a JSON array of programs, and writes one of their forms by language.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// A generator returns the only file of a program.
type generator = func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

// By the names that fences in the descriptions of a schema have.
var generators = map[string]generator{
	"typescript": nodejs.GenerateProgram,
	"python":     python.GenerateProgram,
	"go":         golang.GenerateProgram,
}

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: convert-examples <schema file> < <JSON array of programs in YAML>"))
	}
	var programs []string
	if err := json.NewDecoder(os.Stdin).Decode(&programs); err != nil {
		fail(err)
	}
	loader, err := loaderOf(os.Args[1])
	if err != nil {
		fail(err)
	}
	converted := make([]map[string]string, 0, len(programs))
	for _, program := range programs {
		forms, err := convert(program, loader)
		if err != nil {
			fail(fmt.Errorf("%w, in:\n%s", err, program))
		}
		converted = append(converted, forms)
	}
	if err := json.NewEncoder(os.Stdout).Encode(converted); err != nil {
		fail(err)
	}
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

// A loader knows the package of one schema, and Pulumi's own.
type loader struct{ pkg *schema.Package }

func loaderOf(file string) (schema.ReferenceLoader, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, err := schema.ImportSpec(spec, nil, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	return &loader{pkg}, nil
}

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

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
