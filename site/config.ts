import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { classesForColors, codeTheme } from './code-colors.ts'
import { finishSite } from './finish.ts'
import { BASE, ROOT, ROOT_PAGES, SERVED_DIR } from './layout.ts'
import { followLinks, linkedFilesOf } from './links.ts'
import { findPages, sidebar } from './navigation.ts'
import { addReference } from './reference-entries.ts'
import { singularOf } from './search.ts'
import { correctSearchBox } from './search-box.ts'
import { slugOf } from './slugs.ts'

/** The pages of `docs` and some of the root, as one site under `/docs`. Nothing of it is loaded from elsewhere. */
export default defineConfig({
  srcDir: ROOT,
  // Only `docs` and the pages of the root: other folders have other Markdown, or data.
  srcExclude: ['!(docs|*.md)/**', '!(ARCHITECTURE|CHANGELOG|CONTRIBUTING|SECURITY).md'],
  rewrites: {
    ...ROOT_PAGES,
    'docs/README.md': 'index.md',
    'docs/:folder/README.md': ':folder/index.md',
    'docs/:path*': ':path*',
  },
  outDir: SERVED_DIR,
  cacheDir: join(import.meta.dirname, '.vitepress/cache'),
  base: BASE,
  cleanUrls: true,
  // The link to the reference, which is not a page of the generator.
  ignoreDeadLinks: ['/reference'],
  buildEnd: ({ outDir }) => finishSite(outDir, linkedFilesOf(findPages().values())),
  lang: 'en',
  title: 'Kusanya',
  titleTemplate: ':title · Kusanya',
  description: 'The mobile-money gateway that a business runs itself',
  // The content policy allows no style that a script writes into the page, which switching without transitions needs.
  appearance: { disableTransition: false },
  // Images are files, as the index of the search is one file of more than 500 kB.
  vite: {
    plugins: [correctSearchBox(), addReference()],
    build: {
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1_500,
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  },
  markdown: {
    // Angle brackets are text in these pages, as in `connections add <driver>`.
    html: false,
    attrs: false,
    emoji: false,
    anchor: { slugify: slugOf },
    theme: codeTheme,
    codeTransformers: [classesForColors],
    config: followLinks,
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'Operating', link: '/operating' },
      // This page is not part of the site: the browser loads it anew.
      { text: 'API reference', link: '/reference', target: '_self' },
    ],
    sidebar: sidebar(findPages()),
    outline: { level: [2, 3], label: 'On this page' },
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { processTerm: singularOf } },
        // Of the changelog only the beginning is found: its lines have the words of all pages.
        _render: (source, env, markdown) =>
          markdown.renderAsync(env.relativePath === 'CHANGELOG.md' ? source.split(/^## /m)[0]! : source, env),
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
    externalLinkIcon: true,
  },
})
