import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../components/ui/card.tsx'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { useUser } from '../../lib/session.ts'
import { useServerAddress } from '../../lib/status.ts'
import { knownModel, sampleModelQuery } from './sample-model.ts'
import { type SnippetKind, snippetKinds, snippetOf } from './snippets.ts'

/** Something to paste that works here, with a model that whoever looks can call. */
export function FirstCall() {
  const { t } = useTranslation('home')
  const { data: model, isPending } = useQuery(sampleModelQuery(useUser()?.id))
  const address = useServerAddress()
  const [kind, setKind] = useState<SnippetKind>('curl')
  const code = snippetOf(kind, address, model ?? knownModel)
  return (
    <Card title={t('firstCall')} description={t('firstCallHint')}>
      <Tabs
        aria-label={t('firstCall')}
        value={kind}
        onValueChange={setKind}
        tabs={snippetKinds.map((value) => ({
          value,
          label: t(`snippet.${value}`),
          content: isPending ? (
            <Skeleton className="h-36!" />
          ) : (
            <CodeBlock code={code} label={t('copySnippet')} />
          ),
        }))}
      />
      {model === null && <p className="mt-3 text-muted text-xs">{t('noModel')}</p>}
    </Card>
  )
}
