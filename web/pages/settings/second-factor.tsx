import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Panel } from '../../parts/panel.tsx'
import { notifyChange } from '../../parts/pending-change.tsx'

/** Whether everybody who moves money needs a second step when signing in. */
export function SecondFactorRulePanel({ required, changed }: { required: boolean; changed(): void }) {
  const client = useQueryClient()
  const set = async () => {
    const made = required ? 'Nobody needs a second step any more.' : 'A second step is needed from now on.'
    notifyChange(await api.put('/settings/second-factor', { required: !required }), made)
    await client.invalidateQueries({ queryKey: ['/users'] })
  }
  return (
    <Panel
      title="Second step for those who move money"
      about="Who sends or approves money, pays bills or manages needs more than a password."
      actions={
        <Confirm
          button={required ? 'Demand it no longer' : 'Demand it'}
          title={required ? 'Demand no second step any more?' : 'Demand a second step?'}
          act={set}
          done={changed}
        >
          {required
            ? 'A password is then enough to move money.'
            : 'Users without a second step can still sign in and look, but not move money until they have set one up. API keys go on working.'}
        </Confirm>
      }
    >
      <Text fz="sm">{required ? 'It is demanded.' : 'It is not demanded; everybody decides for themselves.'}</Text>
    </Panel>
  )
}
