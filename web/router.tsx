import { Alert, Button } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { createRootRoute, createRoute, createRouter, Navigate, Outlet } from '@tanstack/react-router'
import { unreachableError } from './api.ts'
import { pages } from './pages/index.tsx'
import { LinkPage } from './pages/link.tsx'
import type { Page } from './pages/page.ts'
import { HomeLink } from './parts/back-link.tsx'
import { notifyProblem } from './parts/notify.tsx'
import { reload } from './reload.ts'
import { useSession } from './session.tsx'
import { SignedIn } from './shell/signed-in.tsx'
import { t } from './texts/index.ts'

const root = createRootRoute({ component: Root })

/** The page of one-time links, which needs no session. */
const link = createRoute({ getParentRoute: () => root, path: '/link', component: LinkPage })

const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: SignedIn })

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home })
const routes = pages
  .filter((page) => page.path !== '/')
  .map((page) =>
    createRoute({ getParentRoute: () => signedIn, path: page.path, component: () => <PermissionGuard page={page} /> }),
  )
const notFound = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage })

export const router = createRouter({
  routeTree: root.addChildren([link, signedIn.addChildren([home, ...routes, notFound])]),
  basepath: '/console',
  defaultPreload: false,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
  // Filters are plain text in the address, so that people can read, type and share it.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const params = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
    return params.length === 0 ? '' : `?${new URLSearchParams(params.map(([name, value]) => [name, String(value)]))}`
  },
})

/**
 * The open page, and the notifications. They stand at the bottom, where they cover no search, no menu and no button that
 * closes a dialog. Within the router they can link to pages.
 */
function Root() {
  return (
    <>
      <Outlet />
      <Notifications position="bottom-right" limit={3} />
    </>
  )
}

/** The page with the path `/`, or the first page that the user may see. */
function Home() {
  const { may, second_factor_missing } = useSession()
  if (second_factor_missing) return <Navigate to="/account" replace />
  const page = pages.find(({ path }) => path === '/')
  if (page && (!page.permission || may(page.permission))) return <page.component />
  const first = pages.find(({ nav, permission }) => nav && (!permission || may(permission)))
  return <Navigate to={first?.path ?? '/account'} replace />
}

function PermissionGuard({ page }: { page: Page }) {
  const { may } = useSession()
  if (!page.permission || may(page.permission)) return <page.component />
  return (
    <Alert color="yellow" title={t('shell.forbidden.title')}>
      {t('shell.forbidden.text')}
      <HomeLink />
    </Alert>
  )
}

/** Replace a page that could not be loaded or has failed. */
function ErrorPage() {
  const again = async () => {
    if (!(await reload())) notifyProblem(unreachableError())
  }
  return (
    <Alert role="alert" color="red" title={t('shell.broken.title')}>
      {t('shell.broken.text')}
      <Button mt="sm" size="xs" variant="default" display="block" onClick={again}>
        {t('shell.broken.reload')}
      </Button>
      <HomeLink />
    </Alert>
  )
}

function NotFoundPage() {
  return (
    <Alert color="gray" title={t('shell.not_found.title')}>
      {t('shell.not_found.text')}
      <HomeLink />
    </Alert>
  )
}
