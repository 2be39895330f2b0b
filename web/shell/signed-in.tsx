import { Center } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { ConfirmationDialog } from '../pages/account/confirmation-dialog.tsx'
import { SecondFactor } from '../pages/second-factor.tsx'
import { SignIn } from '../pages/sign-in.tsx'
import { Loading } from '../parts/loading.tsx'
import { Problem, replacesContent } from '../parts/problem.tsx'
import { sessionQuery } from '../session.tsx'
import { adoptLanguage } from '../user-language.ts'
import { Frame } from './frame.tsx'

/** Load the session, and show the page or the sign-in page. The address stays, so that signing in leads to the page. */
export function SignedIn() {
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const user = session?.user
  // Only when the user signs in or the page loads: a later load of the page would drop what is typed into a form.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a language chosen in another browser waits for the next page load
  useEffect(() => adoptLanguage(user?.language), [user?.id])
  if (replacesContent(error, session))
    return (
      <Center mih="100vh" p="md" component="main">
        <Problem error={error} retry={refetch} />
      </Center>
    )
  if (!session) return <LoadingScreen />
  if (session.stage === 'signed_out') return <SignIn session={session} />
  if (session.stage === 'second_factor') return <SecondFactor session={session} />
  return (
    <Frame key={session.organization?.id ?? 0}>
      <Suspense fallback={<LoadingScreen />}>
        <Outlet />
      </Suspense>
      <ConfirmationDialog />
    </Frame>
  )
}

function LoadingScreen() {
  return (
    <Center mih="40vh">
      <Loading />
    </Center>
  )
}
