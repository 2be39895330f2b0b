import { Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount } from '../../format.ts'
import { t } from '../../texts/index.ts'
import { ExportMenu } from '../files/export-menu.tsx'
import { type BulkAction, BulkDialog } from './bulk-dialog.tsx'
import type { Column } from './column.ts'
import type { Selection } from './selection.ts'

export interface BulkBarProps<Row> {
  /** Title of the list, which names a file. */
  title: string
  /** Columns of the screen. */
  columns: readonly Column<Row>[]
  selection: Selection<Row>
  actions: readonly BulkAction<Row>[]
  nameOf: (row: Row) => string
  rowLink?: (row: Row) => string
  /** Convert a row for a file with all fields. Default: unchanged. */
  fileRow?: (row: Row) => object
}

/** Actions on the selected rows. */
export function BulkBar<Row extends { id: number | string }>(props: BulkBarProps<Row>) {
  const { title, columns, selection, actions, fileRow } = props
  // The rows stay as they were when the dialog opened, while the list refreshes below.
  const [task, setTask] = useState<{ action: BulkAction<Row>; rows: Row[] }>()
  const [opened, { open, close }] = useDisclosure()
  const begin = (action: BulkAction<Row>) => {
    setTask({ action, rows: selection.rows })
    open()
  }
  const count = selection.rows.length
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
          <ExportMenu size="xs" what={title} columns={columns} fileRow={fileRow} read={() => selection.rows} />
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
