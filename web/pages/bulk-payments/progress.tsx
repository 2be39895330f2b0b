import { Status } from '../../parts/status.tsx'
import { t } from '../../texts/index.ts'
import type { BulkPayment } from '../../wire.ts'

/** State of a file in words, as its payments say. */
export function Progress({ bulk: { progress } }: { bulk: BulkPayment }) {
  return <Status state={progress} label={t(`bulk.progress.${progress}`)} />
}
