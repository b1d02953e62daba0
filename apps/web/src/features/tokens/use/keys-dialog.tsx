import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CodeBlock, CopyButton, CopyText } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Tabs } from '../../../components/ui/tabs.tsx'
import { useServerAddress } from '../../../lib/status.ts'
import { modelsQuery } from '../api.ts'
import { keyLines, shownKey } from '../keys.ts'
import { exampleModel, type SnippetKind, snippetKinds, snippetOf } from '../snippets.ts'
import { limitedModels } from '../token-state.ts'

export interface KeysDialogProps {
  /** One key, or those of a batch. */
  readonly tokens: readonly Token[]
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  /** Above the keys: what did not go as asked. */
  readonly notice?: ReactNode
}

/** Keys to be copied, and how to make a first call with them. */
export function KeysDialog({ tokens, onClose, title, description, notice }: KeysDialogProps) {
  const { t } = useTranslation('tokens')
  const [first] = tokens
  const keys = useRef<HTMLDivElement>(null)
  return (
    <Dialog
      size="lg"
      open
      onClose={onClose}
      title={title}
      description={description}
      initialFocus={() => keys.current?.querySelector('button')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('use.done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {notice}
        <div ref={keys}>
          {tokens.length > 1 ? <ManyKeys tokens={tokens} /> : first && <OneKey token={first} />}
        </div>
        {first && <FirstCall token={first} />}
      </div>
    </Dialog>
  )
}

function OneKey({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  return (
    <div className="flex items-center gap-3 rounded border border-accent/40 bg-accent-soft p-3 max-sm:flex-col max-sm:items-stretch">
      <code className="min-w-0 flex-1 select-all break-all text-sm">{shownKey(token)}</code>
      <CopyButton withText variant="primary" size="md" value={shownKey(token)} label={t('key.copy')} />
    </div>
  )
}

function ManyKeys({ tokens }: { readonly tokens: readonly Token[] }) {
  const { t } = useTranslation('tokens')
  return (
    <div className="rounded border border-accent/40 bg-accent-soft">
      <section
        className="max-h-44 overflow-auto p-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        tabIndex={0}
        aria-label={t('use.keys')}
      >
        <pre className="text-xs leading-relaxed">{keyLines(tokens)}</pre>
      </section>
      <div className="flex justify-end border-accent/40 border-t p-2">
        <CopyButton
          withText
          variant="primary"
          value={keyLines(tokens)}
          label={t('use.copyAll', { count: tokens.length })}
        />
      </div>
    </div>
  )
}

/** The same call in three ways, with address and key filled in. */
function FirstCall({ token }: { readonly token: Token }) {
  const { t } = useTranslation('tokens')
  const [kind, setKind] = useState<SnippetKind>('curl')
  const { data: reachable = [] } = useQuery(modelsQuery)
  const baseUrl = `${useServerAddress()}/v1`
  const model = exampleModel(limitedModels(token) ?? reachable)
  const code = snippetOf(kind, { baseUrl, key: shownKey(token), model })
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold text-sm">{t('use.tryIt')}</h3>
        <span className="flex min-w-0 items-baseline gap-2 text-muted text-xs">
          {t('use.baseUrl')} <CopyText value={baseUrl} className="text-text" />
        </span>
      </div>
      <Tabs
        aria-label={t('use.tryIt')}
        value={kind}
        onValueChange={setKind}
        tabs={snippetKinds.map((value) => ({
          value,
          label: t(`use.${value}`),
          content: <CodeBlock code={code} label={t('use.copySnippet')} />,
        }))}
      />
    </section>
  )
}
