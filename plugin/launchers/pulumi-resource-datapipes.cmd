@echo off
rem Starts the plugin. Pulumi passes the address of its engine.
where node >nul 2>nul
if errorlevel 1 (
  echo pulumi-resource-datapipes needs Node.js 20.19 or newer on the PATH, and found none. 1>&2
  exit /b 1
)
node "%~dp0start.js" %*
