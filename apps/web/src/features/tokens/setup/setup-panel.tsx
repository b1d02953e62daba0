import { useQuery } from '@tanstack/react-query'
import type { Token } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock, CopyText } from '../../../components/ui/copy.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { SegmentedControl } from '../../../components/ui/field/segmented-control.tsx'
import { Select } from '../../../components/ui/select/select.tsx'
import { Tabs } from '../../../components/ui/tabs.tsx'
import { pricingQuery } from '../../../lib/api/pricing.ts'
import { useServerAddress, useSystemName } from '../../../lib/api/status.ts'
import { useMediaQuery } from '../../../lib/browser/media-query.ts'
import { useUser } from '../../../lib/session/session.ts'
import { visibleKey } from '../keys.ts'
import { limitedModels } from '../token-state.ts'
import { callableModels, chooseModels } from './model-choice.ts'
import type { SetupFacts, SetupStep } from './setup-facts.ts'
import { hasLanguages, type SetupLanguage, type SetupName, setupNames, setupSteps, setups } from './setups.ts'

/** Windows with no room for all programs side by side. */
const narrowWindow = '(width < 800px)'

/** Configuration of programs for this key and this address, ready to paste. */
export function SetupPanel({ token }: { readonly token: Token }) {
  const { t } = useTranslation('keySetup')
  const narrow = useMediaQuery(narrowWindow)
  const address = useServerAddress()
  const [name, setName] = useState<SetupName>('claudeCode')
  const choices = setupNames.map((value) => ({ value, label: setups[value].label }))
  return (
    <section className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold text-sm">{t('panel')}</h3>
        <span className="flex min-w-0 items-baseline gap-2 text-muted text-xs">
          {t('address')} <CopyText value={address} className="text-text" />
        </span>
      </div>
      {narrow ? (
        <Select aria-label={t('panel')} value={name} onValueChange={setName} options={choices} />
      ) : (
        <Tabs aria-label={t('panel')} value={name} onValueChange={setName} tabs={choices} />
      )}
      <Setup key={name} name={name} token={token} address={address} />
    </section>
  )
}

interface SetupProps {
  readonly name: SetupName
  readonly token: Token
  readonly address: string
}

function Setup({ name, token, address }: SetupProps) {
  const { t } = useTranslation('keySetup')
  const system = useSystemName()
  const [language, setLanguage] = useState<SetupLanguage>('python')
  const [chosen, setChosen] = useState<{ readonly main?: string; readonly small?: string }>({})
  const { data, isPending } = useQuery(pricingQuery(useUser()?.id))
  const models = data ? callableModels(data.rows, token.group || data.user_group, limitedModels(token)) : []
  const { main: model, small: smallModel } = { ...chooseModels(models, setups[name].needs), ...chosen }
  const facts: SetupFacts = { address, key: visibleKey(token), model, smallModel, system }
  const names = models.map(({ model_name }) => model_name)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <ModelField
          label={t('model')}
          value={model}
          models={names}
          onChange={(main) => setChosen({ ...chosen, main })}
        />
        {'hasSmallModel' in setups[name] && (
          <ModelField
            label={t('smallModel')}
            value={smallModel}
            models={names}
            onChange={(small) => setChosen({ ...chosen, small })}
          />
        )}
        {hasLanguages(name) && (
          <SegmentedControl
            label={t('language')}
            value={language}
            onChange={setLanguage}
            options={[
              { value: 'python', label: 'Python' },
              { value: 'typescript', label: 'TypeScript' },
            ]}
          />
        )}
      </div>
      {models.length === 0 && !isPending && <p className="text-warn text-xs">{t('noModel')}</p>}
      {setupSteps(name, language, facts).map((step) => (
        <Step key={`${step.where.kind} ${step.code}`} name={name} step={step} />
      ))}
      <SetupHint name={name} />
    </div>
  )
}

interface ModelFieldProps {
  readonly label: string
  readonly value: string
  readonly models: readonly string[]
  readonly onChange: (model: string) => void
}

function ModelField({ label, value, models, onChange }: ModelFieldProps) {
  return (
    <div className="w-64 max-sm:w-full">
      <Field label={label}>
        <Select
          value={value}
          onValueChange={onChange}
          options={models.map((name) => ({ value: name, label: name }))}
          disabled={models.length === 0}
        />
      </Field>
    </div>
  )
}

/** One thing to paste, under the place where it goes. */
function Step({ name, step }: { readonly name: SetupName; readonly step: SetupStep }) {
  const { t } = useTranslation('keySetup')
  const position = usePosition(step.where, setups[name].label)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {position !== undefined && <p className="text-muted text-xs">{position}</p>}
      <CodeBlock code={step.code} label={t('copy')} />
    </div>
  )
}

function usePosition(where: SetupStep['where'], program: string): string | undefined {
  const { t } = useTranslation('keySetup')
  switch (where.kind) {
    case 'shell':
      return t('inShell')
    case 'file':
      return t('inFile', { path: where.path })
    case 'field':
      return t('inField', { program, field: where.name })
    case 'program':
      return undefined
  }
}

/** Shows further advice for some programs. */
function SetupHint({ name }: { readonly name: SetupName }) {
  const { t } = useTranslation('keySetup')
  const hint = {
    claudeCode: t('claudeCodeHint'),
    codex: t('codexHint'),
    geminiCli: t('geminiCliHint'),
    cursor: t('cursorHint'),
    openai: undefined,
    anthropic: undefined,
    google: undefined,
    curl: undefined,
  }[name]
  return hint === undefined ? null : <p className="text-muted text-xs">{hint}</p>
}
