#!/usr/bin/env node
"use strict";
// Committed, not compiled, so that npm can link the command before the first build.
require("../dist/cli/main.js");
