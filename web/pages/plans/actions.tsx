import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useSession } from '../../session.tsx'
import { t } from '../../texts/index.ts'
import type { Plan } from '../../wire.ts'

/** The buttons that pause, resume and stop a plan, for users who may collect. */
export function PlanActions({ plan, size = 'sm' }: { plan: Plan; size?: string }) {
  const { may } = useSession()
  const client = useQueryClient()
  if (!may('initiate_collections') || (plan.state !== 'active' && plan.state !== 'paused')) return null
  const change = (verb: 'pause' | 'resume' | 'stop') => ({
    size,
    act: () => api.post(`/plans/${plan.id}/${verb}`),
    done: () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' }),
  })
  return (
    <>
      {plan.state === 'active' ? (
        <Confirm button={t('plans.pause.button')} title={t('plans.pause.title')} {...change('pause')}>
          {t('plans.pause.text')}
        </Confirm>
      ) : (
        <Confirm button={t('plans.resume.button')} title={t('plans.resume.title')} {...change('resume')}>
          {t('plans.resume.text')}
        </Confirm>
      )}
      <Confirm button={t('plans.stop.button')} title={t('plans.stop.title')} danger {...change('stop')}>
        {t('plans.stop.text')}
      </Confirm>
    </>
  )
}
