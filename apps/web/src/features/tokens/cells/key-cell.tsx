import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { Eye } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Popover } from '../../../components/ui/popover.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { fullKey, fullKeysQuery } from '../api.ts'
import { maskedKey, shownKey } from '../keys.ts'

/** The key without its middle; whole on demand, and copied without being shown. */
export function KeyCell({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <span className="inline-flex items-center">
      <span className="mr-1 font-mono text-xs">{maskedKey(token)}</span>
      <Popover
        label={t('key.of', { name: token.name })}
        trigger={<IconButton icon={Eye} size="sm" label={t('key.reveal', { name: token.name })} />}
      >
        <FullKey token={token} />
      </Popover>
      <CopyButton value={() => fullKey(token)} label={t('key.copyOf', { name: token.name })} />
    </span>
  )
}

/** Drawn when it is asked for: where keys are masked, that is an act that is written down. */
function FullKey({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <QueryBoundary query={useQuery(fullKeysQuery([token]))}>
      {([full = token]) => (
        <span className="flex items-center gap-2">
          <code className="select-all break-all text-xs">{shownKey(full)}</code>
          <CopyButton value={shownKey(full)} label={t('key.copy')} />
        </span>
      )}
    </QueryBoundary>
  )
}
