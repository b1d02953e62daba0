import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { Download } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { saveTextFile } from '../../../lib/browser/save-file.ts'
import { fullKeysQuery } from '../api.ts'
import { keyLines, visibleKey } from '../keys.ts'
import { SetupPanel } from './setup-panel.tsx'

export interface KeysDialogProps {
  /** One key, or those of a batch. */
  readonly tokens: readonly Token[]
  readonly onClose: () => void
  /** Title; by default about setting programs up with the key. */
  readonly title?: ReactNode
  readonly description?: ReactNode
  /** Above the keys: what did not go as asked. */
  readonly notice?: ReactNode
}

/** Keys to be copied, and how programs are set up with them. */
export function KeysDialog({ tokens, onClose, title, description, notice }: KeysDialogProps) {
  const { t } = useTranslation('keySetup')
  const [first] = tokens
  const keys = useRef<HTMLDivElement>(null)
  return (
    <Dialog
      size="xl"
      open
      onClose={onClose}
      title={title ?? t('title', { name: first?.name })}
      description={description ?? t('description')}
      initialFocus={() => keys.current?.querySelector('button')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {notice}
        <div ref={keys}>
          <QueryBoundary query={useQuery(fullKeysQuery(tokens))}>
            {(full) => <FullKeys tokens={full} />}
          </QueryBoundary>
        </div>
      </div>
    </Dialog>
  )
}

function FullKeys({ tokens }: { readonly tokens: readonly Token[] }) {
  const [first] = tokens
  return (
    <div className="flex flex-col gap-4">
      {tokens.length > 1 ? <ManyKeys tokens={tokens} /> : first && <OneKey token={first} />}
      {first && <SetupPanel token={first} />}
    </div>
  )
}

function OneKey({ token }: { readonly token: Token }) {
  const { t } = useTranslation('keySetup')
  return (
    <div className="flex items-center gap-3 rounded border border-accent/40 bg-accent-soft p-3 max-sm:flex-col max-sm:items-stretch">
      <code className="min-w-0 flex-1 select-all wrap-anywhere text-sm">{visibleKey(token)}</code>
      <CopyButton withText variant="primary" size="md" value={visibleKey(token)} label={t('copyKey')} />
    </div>
  )
}

function ManyKeys({ tokens }: { readonly tokens: readonly Token[] }) {
  const { t } = useTranslation('keySetup')
  return (
    <div className="rounded border border-accent/40 bg-accent-soft">
      <section
        className="max-h-44 overflow-auto p-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        tabIndex={0}
        aria-label={t('keys')}
      >
        <pre className="text-xs leading-relaxed">{keyLines(tokens)}</pre>
      </section>
      <div className="flex justify-end gap-2 border-accent/40 border-t p-2">
        <Button
          size="sm"
          icon={Download}
          onClick={() => saveTextFile(`${tokens[0]?.name ?? ''}.txt`, keyLines(tokens))}
        >
          {t('download')}
        </Button>
        <CopyButton
          withText
          variant="primary"
          value={keyLines(tokens)}
          label={t('copyAll', { count: tokens.length })}
        />
      </div>
    </div>
  )
}
