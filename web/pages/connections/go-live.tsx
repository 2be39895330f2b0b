import { Code, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { BackLink } from '../../parts/back-link.tsx'
import { Loading } from '../../parts/loading.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Problem, replacesContent } from '../../parts/problem.tsx'
import { Trans, t } from '../../texts/index.ts'
import { ChecklistPanel, checklistQuery } from '../go-live/checklist.tsx'

/** Completed and missing steps before real money moves. */
export default function GoLive() {
  const { data, error, refetch } = useQuery(checklistQuery)
  if (replacesContent(error, data)) return <Problem error={error} retry={refetch} />
  if (!data) return <Loading />
  return (
    <>
      <BackLink to="/connections">{t('shell.nav.connections')}</BackLink>
      <PageHead title={t('connections.go_live.title')} about={t('connections.go_live.about')} />
      {data.yours ? (
        <ChecklistPanel checklist={data} />
      ) : (
        <Panel title={t('connections.go_live.of_operator')}>
          <Text fz="sm">
            <Trans i18nKey="connections.go_live.of_operator_text" components={{ code: <Code /> }} />
          </Text>
        </Panel>
      )}
    </>
  )
}
