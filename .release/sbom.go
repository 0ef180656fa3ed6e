package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// bom is the part of CycloneDX 1.6 that is used here.
type bom struct {
	Schema       string      `json:"$schema"`
	Format       string      `json:"bomFormat"`
	Spec         string      `json:"specVersion"`
	SerialNumber string      `json:"serialNumber,omitempty"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Licences   []licence  `json:"licenses,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type licence struct {
	Licence struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// writeSBOM writes the modules that the Go tool has put into a binary. The licences are
// read from the same modules vendored.
func writeSBOM(binary, version string, at time.Time, vendor, document string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	list, err := modulesOf(info, version, at, vendor)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	// A name for this list alone, which the same list has again.
	sum := sha256.Sum256(text)
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	list.SerialNumber = fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
	if text, err = json.MarshalIndent(list, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(document, append(text, '\n'), 0o644)
}

func modulesOf(info *debug.BuildInfo, version string, at time.Time, vendor string) (*bom, error) {
	program := component{Type: "application", Ref: "gatehouse", Name: "gatehouse", Version: version, Licences: licences("MIT")}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "GOOS", "GOARCH", "vcs.revision", "vcs.modified":
			program.Properties = append(program.Properties, property{setting.Key, setting.Value})
		}
	}
	list := &bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{at.Format(time.RFC3339), program},
	}
	goVersion, _, _ := strings.Cut(strings.TrimPrefix(info.GoVersion, "go"), " ")
	list.Components = append(list.Components, library("std", goVersion, "", licences("BSD-3-Clause")))
	for _, module := range info.Deps {
		path := module.Path
		if module.Replace != nil {
			module = module.Replace
		}
		names, err := licencesOf(vendor, path)
		if err != nil {
			return nil, err
		}
		list.Components = append(list.Components, library(module.Path, module.Version, module.Sum, licences(names...)))
	}
	return list, nil
}

// library is a module as a component. Its sum is that of go.sum, which is of no file.
func library(path, version, sum string, names []licence) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	c := component{Type: "library", Ref: purl, Name: path, Version: version, PURL: purl, Licences: names}
	if sum != "" {
		c.Properties = []property{{"go.sum", sum}}
	}
	return c
}

func licences(names ...string) []licence {
	var all []licence
	for _, name := range names {
		l := licence{}
		l.Licence.ID = name
		all = append(all, l)
	}
	return all
}
