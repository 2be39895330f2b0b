import { plainPage } from './html.ts'

/** The page that a browser shows at `/docs` where the documentation is not built. */
export function notBuiltPage(service_name: string): string {
  return plainPage(
    `Documentation · ${service_name}`,
    `<h1>The documentation is not built</h1>
<p>A service that was just started builds it now, after the console. That takes some seconds: load this page again.</p>
<p>If this page stays, run <code>npm ci &amp;&amp; npm run docs</code> in the folder of the service. A release has it built already.</p>
<ul>
  <li><a href="/docs/reference">API reference</a> <span>Every address that your software can call, with examples. It works without.</span></li>
</ul>`,
  )
}
