// The digest of a key, as `npx kusanya cells maps` prints it.
// biome-ignore lint/style/useNodejsImportProtocol: nginx knows this name alone.
import crypto from 'crypto'

function ofKey(request) {
  return crypto.createHash('sha256').update(request.variables.kusanya_key).digest('hex')
}

export default { ofKey }
