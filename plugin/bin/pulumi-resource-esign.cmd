@echo off
setlocal
set "node=%~dp0node.exe"
if not exist "%node%" set "node=node"
"%node%" --version >nul 2>nul || (echo pulumi-resource-esign needs Node 20.18.1 or newer on PATH: https://nodejs.org 1>&2 & exit /b 1)
"%node%" "%~dp0index.js" %*
