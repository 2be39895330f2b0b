import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, isMissing } from '../api.ts'
import { Loading } from '../parts/loading.tsx'
import { Problem } from '../parts/problem.tsx'
import { useSubmit } from '../parts/use-submit.ts'
import { rememberEmail, sessionQuery, useStartSession } from '../session.tsx'
import { t } from '../texts/index.ts'
import type { Session } from '../wire.ts'
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
  const enter = useStartSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const use = async ({ email, signed_in }: UsedLink) => {
    if (!signed_in) {
      rememberEmail(client, email)
      return setDone(true)
    }
    enter(await api.get<Session>('/session'))
    return navigate({ to: '/' })
  }
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
          <Problem error={error} retry={isMissing(error) ? undefined : refetch} />
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
        <LinkForm token={token} link={link} done={use} />
      )}
    </SignedOutPage>
  )
}

/** `signed_in`: true if the session of a new user has begun. */
interface UsedLink {
  email: string
  signed_in: boolean
}

function LinkForm({ token, link, done }: { token: string; link: LinkView; done(used: UsedLink): void }) {
  const joins = link.purpose === 'invitation'
  const needsName = joins && !link.known
  const needsPassword = !joins || !link.known
  const form = useForm({ initialValues: { name: '', password: '' } })
  const { onSubmit, pending, error } = useSubmit(
    form,
    ({ name, password }) =>
      api.post<UsedLink>('/links/use', { token, ...(needsName && { name }), ...(needsPassword && { password }) }),
    done,
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {needsName && (
          <TextInput
            label={t('access.link.name')}
            autoComplete="name"
            required
            autoFocus
            {...form.getInputProps('name')}
          />
        )}
        {needsPassword && (
          <PasswordInput
            label={t('access.new_password')}
            description={t('access.link.password_length')}
            autoComplete="new-password"
            required
            autoFocus={!needsName}
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
