import { Button, Modal, SegmentedControl, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { t } from '../../texts/index.ts'
import { MatchWithRequest } from '../collections/match.tsx'
import { MatchByHand } from './by-hand.tsx'
import type { FreeMoney } from './queries.ts'

interface MatchDialogProps {
  money: FreeMoney
  /** The allocation whose money moves. */
  instead_of?: number
  /** True if none of the money was used, so that it can fulfil a request. */
  is_whole?: boolean
  /** The button stands in a line of a list. */
  is_small?: boolean
}

/** Button with the dialog in which a person allocates money. */
export function MatchDialog({ money, instead_of, is_whole = false, is_small = false }: MatchDialogProps) {
  const [opened, { open, close }] = useDisclosure()
  const [kind, setKind] = useState('documents')
  const moves = instead_of !== undefined
  return (
    <>
      <Button aria-haspopup="dialog" onClick={open} {...((moves || is_small) && { variant: 'default', size: 'xs' })}>
        {t(moves ? 'matching.move.button' : 'collections.match.button')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t(moves ? 'matching.move.title' : 'matching.by_hand.title')}
        size="lg"
      >
        <Stack>
          {is_whole && (
            <SegmentedControl
              aria-label={t('matching.by_hand.with')}
              value={kind}
              onChange={setKind}
              data={[
                { value: 'documents', label: t('matching.by_hand.documents') },
                { value: 'request', label: t('fields.request') },
              ]}
            />
          )}
          {kind === 'request' ? (
            <MatchWithRequest money={money} close={close} />
          ) : (
            <MatchByHand money={money} instead_of={instead_of} close={close} />
          )}
        </Stack>
      </Modal>
    </>
  )
}
