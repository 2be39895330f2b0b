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
import { t } from '../texts/index.ts'
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
    ? t('access.link.broken')
    : link?.purpose === 'password_reset'
      ? t('access.link.new_password_title')
      : t('access.link.welcome', { service: service_name })
  const invited = link?.organization_name
    ? t('access.link.invited', { organization: link.organization_name, email: link.email })
    : link?.email
  return (
    <SignedOutPage title={title} about={invited} service_name={service_name}>
      {error ? (
        <Stack mt="md">
          <Problem error={error} retry={refetch} />
          <Anchor component={Link} to="/" fz="sm">
            {t('access.link.open_console')}
          </Anchor>
        </Stack>
      ) : !link ? (
        <Loading />
      ) : done ? (
        <Stack>
          <Text fz="sm">{t(link.purpose === 'invitation' ? 'access.link.joined' : 'access.link.password_set')}</Text>
          <Button component={Link} to="/">
            {t('access.link.open_console')}
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
        {needsName && (
          <TextInput label={t('access.link.name')} autoComplete="name" required {...form.getInputProps('name')} />
        )}
        {needsPassword && (
          <PasswordInput
            label={t('access.new_password')}
            description={t('access.link.password_length')}
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
        )}
        <Problem error={error} />
        <Button type="submit" loading={pending}>
          {t(joins ? 'access.link.join' : 'access.link.set_password')}
        </Button>
      </Stack>
    </form>
  )
}
