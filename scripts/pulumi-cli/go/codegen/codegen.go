// Package codegen generates code from a Pulumi schema, with the libraries behind `pulumi package gen-sdk` and
// `pulumi convert`: the language hosts that are Go modules are too old to answer these commands.
package codegen

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	yaml "github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Files are texts by their names.
type Files = map[string][]byte

// Generators of one version of Pulumi's libraries, by language.
type Generators struct {
	Bind     func(schema.PackageSpec) (*schema.Package, error)
	SDKs     map[string]func(*schema.Package) (Files, error)
	Programs map[string]func(*pcl.Program) (Files, hcl.Diagnostics, error)
}

// Main writes an SDK if it gets a language and a folder. Otherwise it converts a JSON array of programs in YAML.
func (g Generators) Main() {
	var err error
	switch len(os.Args) {
	case 2:
		err = g.convertAll(os.Args[1])
	case 4:
		err = g.writeSDK(os.Args[1], os.Args[2], os.Args[3])
	default:
		err = fmt.Errorf("usage: %s <schema file> [<language> <folder>]", os.Args[0])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (g Generators) packageOf(file string) (*schema.Package, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	return g.Bind(spec)
}

func (g Generators) writeSDK(schemaFile, language, folder string) error {
	pkg, err := g.packageOf(schemaFile)
	if err != nil {
		return err
	}
	files, err := g.SDKs[language](pkg)
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

func (g Generators) convertAll(schemaFile string) error {
	var programs []string
	if err := json.NewDecoder(os.Stdin).Decode(&programs); err != nil {
		return err
	}
	pkg, err := g.packageOf(schemaFile)
	if err != nil {
		return err
	}
	converted := make([]map[string]string, len(programs))
	for index, program := range programs {
		converted[index] = map[string]string{}
		for language := range g.Programs {
			text, err := g.convert(program, language, loader{pkg: pkg})
			if err != nil {
				return fmt.Errorf("%s: %w, in:\n%s", language, err, program)
			}
			converted[index][language] = text
		}
	}
	return json.NewEncoder(os.Stdout).Encode(converted)
}

func (g Generators) convert(text, language string, loader loader) (string, error) {
	template, problems, err := pulumiyaml.LoadYAMLBytes("Pulumi.yaml", []byte("name: example\n"+text))
	if err != nil || problems.HasErrors() {
		return "", fmt.Errorf("%w %w", err, problems)
	}
	// As Pulumi's converter, which takes names of the configuration for unknown and goes on.
	program, _, err := yaml.EjectProgram(template, loader)
	if err != nil {
		return "", err
	}
	files, diagnostics, err := g.Programs[language](program)
	if err != nil || diagnostics.HasErrors() || len(files) != 1 {
		return "", fmt.Errorf("%d files: %w %w", len(files), err, diagnostics)
	}
	for _, file := range files {
		text = string(file)
	}
	return text, nil
}

// A loader knows the package of one schema, and Pulumi's own. The converter calls none of the other methods.
type loader struct {
	schema.ReferenceLoader
	pkg *schema.Package
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, asked *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	switch asked.Name {
	case l.pkg.Name:
		return l.pkg.Reference(), nil
	case "pulumi":
		return schema.DefaultPulumiPackage.Reference(), nil
	default:
		return nil, fmt.Errorf("no schema of the package %q", asked.Name)
	}
}
