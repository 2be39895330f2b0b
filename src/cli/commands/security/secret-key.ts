import type { Command } from 'commander'
import { acceptSecretKeyAction } from '../../../actions/operator-actions.ts'
import { runAction } from '../../../actions/run.ts'
import { findUnreadable } from '../../../core/access/secret-key.ts'
import { addCommand, confirm } from '../../command.ts'
import { encryptedColumns } from '../../service/secret-key.ts'
import type { Terminal } from '../../terminal.ts'
import { typed } from '../../typed.ts'

export function addSecretKeyCommand(program: Command, terminal: Terminal): void {
  const secret_key = program.command('secret-key').description('the key that encrypts stored secrets (SECRET_KEY)')

  addCommand(secret_key, terminal, {
    name: 'accept',
    description:
      'continue with the present SECRET_KEY although the earlier one is lost; what it encrypted is lost, too',
    typed: { yes: typed('--yes', 'do not ask for confirmation') },
    access: { migrated: true, any_secret_key: true },
    async run(app, { yes }, { actor }) {
      const lost = await findUnreadable(app.db, app.sealingKeys, encryptedColumns)
      const list = lost.map(({ what, count }) => `${count} ${what}`).join(', ') || 'nothing'
      const question = `With this SECRET_KEY is lost: ${list}.`
      await confirm(terminal, { yes, question, refusal: 'Nothing was changed.' })
      await runAction(app, actor, acceptSecretKeyAction, { lost: list, columns: encryptedColumns })
      const text = `The service starts with this SECRET_KEY from now on. Lost: ${list}.${lost.length > 0 ? ADVICE : ''}`
      return { shown: { lost }, text }
    },
  })
}

const ADVICE = `
Give them new ones:
  npx kusanya webhooks secret <id> --rotate        and tell the receivers
  npx kusanya webhooks basic-auth set <id>
  npx kusanya bills users rotate <name>
  npx kusanya users second-factor <e-mail> --remove, so that the person can set it up again`
