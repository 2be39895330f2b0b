import { Anchor, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Logo } from '../shell/logo.tsx'
import { language, t } from '../texts/index.ts'
import { type Language, languages } from '../texts/languages.ts'
import { changeLanguage } from '../user-language.ts'

/** The frame of pages that need no session. */
export function SignedOutPage({ title, about, service_name, children }: SignedOutPageProps) {
  useDocumentTitle(`${title} – ${service_name}`)
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400}>
        <Group justify="center" gap={12}>
          <Logo size={36} />
          <Text fz={24} fw={650}>
            {service_name}
          </Text>
        </Group>
        <Paper withBorder p="xl" shadow="sm">
          <Title order={1} fz={20} mb={4}>
            {title}
          </Title>
          {about && (
            <Text c="dimmed" fz="sm" mb="md">
              {about}
            </Text>
          )}
          {children}
        </Paper>
        <LanguageChoice />
      </Stack>
    </Center>
  )
}

interface SignedOutPageProps {
  title: string
  about?: ReactNode
  service_name: string
  children: ReactNode
}

/** Show the page in another language, in this browser. */
function LanguageChoice() {
  return (
    <Group component="nav" justify="center" gap="lg" aria-label={t('shell.user_menu.language')}>
      {(Object.keys(languages) as Language[]).map((code) => (
        <Anchor
          key={code}
          component="button"
          type="button"
          fz="sm"
          lang={code}
          aria-current={code === language ? 'true' : undefined}
          fw={code === language ? 600 : undefined}
          onClick={() => changeLanguage(code)}
        >
          {languages[code]}
        </Anchor>
      ))}
    </Group>
  )
}
