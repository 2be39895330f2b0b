/*
 * Rules of the test of all code blocks for pages and blocks that it does not run itself.
 */

/** Pages whose programs are run by tests of their own. The lines of their shell blocks are checked here, too. */
export const FOLLOWED: Record<string, string> = {
  'docs/clients/typescript.md': 'test/docs/typescript-client.slow.test.ts',
  'docs/clients/python.md': 'test/docs/python-client.slow.test.ts',
  'docs/clients/php.md': 'test/docs/php-client.slow.test.ts',
  'docs/guides/typescript.md': 'test/docs/guides.slow.test.ts',
  'docs/guides/python.md': 'test/docs/guides.slow.test.ts',
  'docs/guides/php.md': 'test/docs/guides.slow.test.ts',
  'docs/guides/java.md': 'test/docs/guides.slow.test.ts',
  'docs/guides/moving-over.md': 'test/docs/guides.slow.test.ts',
  'docs/guides/school-fees.md': 'test/docs/school-fees.slow.test.ts',
  'docs/networks/tutorial.md': 'test/docs/tutorial.slow.test.ts',
}

/** Languages of blocks that cannot be run, and why. */
export const NOT_RUN_LANGUAGES: Record<string, string> = {
  sql: 'makes roles and a database of a whole server; test/db/service-role.slow.test.ts makes its own',
  'text drawing': 'a drawing for people',
  'text formula': 'a formula for people; test/api/bills checks the signature',
  'text fields': 'what a person types into the fields of a form',
}

/** Programs of shell lines that are not run, and why. `npx kusanya` and curl are not among them. */
export const NOT_RUN_PROGRAMS: Record<string, string> = {
  npm: 'installs packages, or starts the service for ever; test/packages and test/deploy do this',
  node: 'a program of the page, which its own test runs',
  python3: 'a program of the page, which its own test runs',
  php: 'a program of the page, which its own test runs',
  java: 'a program of the page, which its own test runs',
  pip: 'fetches packages',
  composer: 'fetches packages',
  npx: 'a tool of the repository, with files that the tutorial makes',
  '.': 'enters the environment of Python that the line before has made',
  docker: 'needs Docker; test/deploy/image.test.ts carries out the Dockerfile',
  kubectl: 'needs a cluster; test/deploy/files.test.ts reads the manifests',
  pgbackrest: 'needs a PostgreSQL server of its own',
  journalctl: 'reads the log of a machine with systemd',
  systemctl: 'needs root',
  'systemd-run': 'needs root',
  useradd: 'needs root',
  install: 'needs root',
  openssl: 'writes a key below /etc',
  umask: 'sets the rights of this key',
  sh: 'writes secrets for the containers; test/deploy does it in a folder of its own',
  git: 'fetches the repository',
  find: 'deletes old backups',
  perl: 'deletes lines of files that the tutorial makes',
  jq: 'reads what the command before it prints',
  cp: 'writes into a WordPress',
  mkdir: 'makes a folder of the reader',
  cd: 'enters a folder of the reader',
  export: 'only sets variables, whose names are checked',
}

/** Variables of shell lines that are not settings of the service. */
export const OTHER_VARIABLES = [
  'KUSANYA_URL',
  'KUSANYA_API_KEY',
  'WEBHOOK_SECRET',
  'KEY',
  'OLD_URL',
  'OLD_KEY',
  'PLAN',
  'NEXT_DATE',
]
