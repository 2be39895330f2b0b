import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { Loading } from '../parts/loading.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { sessionQuery } from '../session.tsx'
import { SignedOutPage } from './signed-out-page.tsx'

interface LinkView {
  purpose: 'invitation' | 'password_reset'
  email: string
  organization_name: string | null
  known: boolean
}

/** The page of a one-time link: accepts an invitation, or sets a new password. */
export function LinkPage() {
  const token = useLocation().hash
  const { data: session } = useQuery(sessionQuery)
  const {
    data: link,
    error,
    refetch,
  } = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.post<LinkView>('/links/look', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const [done, setDone] = useState(false)
  const service_name = session?.service_name ?? ''
  const title = error
    ? 'This link does not work'
    : link?.purpose === 'password_reset'
      ? 'Choose a new password'
      : `Welcome to ${service_name}`
  const invited = link?.organization_name
    ? `You are invited to ${link.organization_name}, as ${link.email}.`
    : link?.email
  return (
    <SignedOutPage title={title} about={invited} service_name={service_name}>
      {error ? (
        <Stack mt="md">
          <Problem error={error} retry={refetch} />
          <Anchor component={Link} to="/" fz="sm">
            Go to the console
          </Anchor>
        </Stack>
      ) : !link ? (
        <Loading />
      ) : done ? (
        <Stack>
          <Text fz="sm">That is done.</Text>
          <Button component={Link} to="/">
            Go to the console
          </Button>
        </Stack>
      ) : (
        <LinkForm token={token} link={link} done={() => setDone(true)} />
      )}
    </SignedOutPage>
  )
}

function LinkForm({ token, link, done }: { token: string; link: LinkView; done(): void }) {
  const joins = link.purpose === 'invitation'
  const needsName = joins && !link.known
  const needsPassword = !joins || !link.known
  const form = useForm({ initialValues: { name: '', password: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    ({ name, password }) =>
      api.post('/links/use', { token, ...(needsName && { name }), ...(needsPassword && { password }) }),
    done,
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {needsName && <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('name')} />}
        {needsPassword && (
          <PasswordInput
            label="New password"
            description="At least 8 characters."
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
        )}
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          {joins ? 'Join' : 'Set the password'}
        </Button>
      </Stack>
    </form>
  )
}
