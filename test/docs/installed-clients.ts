import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PHP_PACKAGE } from '../packages/clients/languages.ts'
import { ROOT } from './client-page.ts'

/** The TypeScript client as it is in the repository, under its name, and the framework that a program of its page uses. */
export function installTypeScriptClient(folder: string): void {
  const packages = join(folder, 'node_modules')
  const client = join(packages, '@kusanya/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(join(client, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }')
  symlinkSync(join(ROOT, 'packages/client/src'), join(client, 'src'), 'junction')
  symlinkSync(join(ROOT, 'node_modules/fastify'), join(packages, 'fastify'), 'junction')
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}

/** Output of Composer, without Composer. */
const AUTOLOAD = `<?php
spl_autoload_register(static function (string $class): void {
    require __DIR__ . '/kusanya/' . str_replace(['Kusanya\\\\', '\\\\'], ['', '/'], $class) . '.php';
});
`

/** The PHP client as it is in the repository. */
export function installPhpClient(folder: string): void {
  mkdirSync(join(folder, 'vendor'))
  writeFileSync(join(folder, 'vendor/autoload.php'), AUTOLOAD)
  symlinkSync(join(PHP_PACKAGE, 'src'), join(folder, 'vendor/kusanya'), 'junction')
}
