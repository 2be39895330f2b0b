import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { t } from '../../texts/index.ts'
import type { Settings } from '../../wire.ts'

/** Text of a dialog that removes a rule. Says whether a second manager confirms it, or nobody does. */
export function SecondPerson({ children }: { children: ReactNode }) {
  const { data } = useQuery({ queryKey: ['/settings'], queryFn: () => api.get<Settings>('/settings') })
  return (
    <Stack gap="sm">
      <div>{children}</div>
      {data && (
        <Alert color={data.has_second_manager ? 'blue' : 'orange'}>
          {t(data.has_second_manager ? 'settings.second_person.confirms' : 'settings.second_person.nobody')}
        </Alert>
      )}
    </Stack>
  )
}
