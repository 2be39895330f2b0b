import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import { csvBlob, type FileRow } from '../files/csv-button.tsx'
import { saveFile } from '../files/save-file.ts'
import { type BulkAction, BulkDialog } from './bulk-dialog.tsx'
import type { Selection } from './selection.ts'

export interface BulkBarProps<Row> {
  /** The list's path in the interface, which names the file. */
  path: string
  selection: Selection<Row>
  actions: readonly BulkAction<Row>[]
  nameOf: (row: Row) => string
  rowLink?: (row: Row) => string
  /** Convert a row for a saved file. Default: unchanged. */
  fileRow?: FileRow
}

/** Actions on the selected rows. */
export function BulkBar<Row extends { id: number | string }>(props: BulkBarProps<Row>) {
  const { path, selection, actions, fileRow = (row) => row } = props
  // The rows stay as they were when the dialog opened, while the list refreshes below.
  const [task, setTask] = useState<{ action: BulkAction<Row>; rows: Row[] }>()
  const [opened, { open, close }] = useDisclosure()
  const begin = (action: BulkAction<Row>) => {
    setTask({ action, rows: selection.rows })
    open()
  }
  const count = selection.rows.length
  const download = () =>
    saveFile(
      `${path.slice(1).replaceAll('/', '-')}.csv`,
      csvBlob((selection.rows as unknown as Record<string, unknown>[]).map(fileRow)),
    )
  return (
    <>
      {count > 0 && (
        <Group gap="xs" role="region" aria-label={t('lists.select.bar')} className="bulk-bar">
          <Text fz="sm" fw={600} role="status">
            {t('lists.select.count', { count, number: formatCount(count) })}
          </Text>
          {actions.map((action) => (
            <Button
              key={action.button}
              size="xs"
              variant="default"
              aria-haspopup="dialog"
              onClick={() => begin(action)}
            >
              {action.button}
            </Button>
          ))}
          <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={download}>
            {t('parts.formats.csv')}
          </Button>
          <Button size="xs" variant="subtle" leftSection={<IconX size={14} />} onClick={selection.clear}>
            {t('lists.select.clear')}
          </Button>
        </Group>
      )}
      <Modal opened={opened} onClose={close} title={task?.action.button} size="lg" closeOnClickOutside={false}>
        {task && <BulkDialog {...props} {...task} close={close} />}
      </Modal>
    </>
  )
}
