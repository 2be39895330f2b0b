import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notifyProblem } from '../../parts/notify.tsx'
import { Panel } from '../../parts/panel.tsx'
import { language, t } from '../../texts/index.ts'
import { type Language, languages } from '../../texts/languages.ts'
import { storeLanguage } from '../../user-language.ts'

/** Choose the language of the console, for every browser of the user. */
export function LanguagePanel() {
  const { mutate, isPending } = useMutation({ mutationFn: storeLanguage, onError: notifyProblem })
  return (
    <Panel title={t('shell.user_menu.language')} about={t('account.language')}>
      <Select
        aria-label={t('shell.user_menu.language')}
        maw={280}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={language}
        allowDeselect={false}
        disabled={isPending}
        onChange={(code) => mutate(code as Language)}
      />
    </Panel>
  )
}
