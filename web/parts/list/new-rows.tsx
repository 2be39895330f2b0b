import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../texts/index.ts'

/** Say how many rows are new. A click shows them, at the beginning of the list. */
export function NewRows({ added, page, load }: { added: number; page: number; load(): void }) {
  const navigate = useNavigate()
  const show = () => {
    if (page > 1) navigate({ to: '.', search: (before: object) => ({ ...before, page: undefined }) as never })
    load()
  }
  return (
    <div className="new-rows" aria-live="polite">
      {added > 0 && (
        <Button variant="default" size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} />} onClick={show}>
          {t('parts.new_rows', { count: added })}
        </Button>
      )}
    </div>
  )
}
