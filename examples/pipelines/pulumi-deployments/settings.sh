#!/usr/bin/env bash
# Sets up Pulumi Deployments for one stack. Run it in the project, logged in to Pulumi Cloud as an administrator of the stack:
#
#     STACK=your-organization/pipes/prod REPOSITORY=your-organization/pipes bash settings.sh
#
# DATAPIPES_API_KEY_SECRET comes from the environment, and Pulumi Cloud keeps it encrypted.
set -euo pipefail

# The doctor lists the pipes once: an expired key fails the preview, which may send no request itself.
# Previews for pull requests, `up` for each push to main. Deployments of one stack run one after the other.
pulumi deployment settings edit --stack "$STACK" \
  --github-repo "$REPOSITORY" --branch main --folder "${FOLDER:-.}" \
  --preview-prs --push-to-deploy --skip-intermediate-deployments \
  --executor-image pulumi/pulumi-nodejs-22:3.259.0 \
  --skip-install-deps --pre-run-command "npm ci" --pre-run-command "npx pulumi-datapipes doctor --stack $STACK" \
  --env "DATAPIPES_API_KEY_ID=$DATAPIPES_API_KEY_ID" \
  --secret-env "DATAPIPES_API_KEY_SECRET=$DATAPIPES_API_KEY_SECRET"

# Every night, compare the stack with the service.
pulumi stack schedule new --stack "$STACK" --yes --kind drift --cron "23 3 * * *"
