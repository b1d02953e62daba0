import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@tollgate/api'
import { DownloadCloud, Eraser, ListPlus, Wand2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonRow } from '../../../components/ui/button.tsx'
import { FormSection } from '../../../components/ui/card.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { FirstOf } from '../../../components/ui/first-of.tsx'
import { MultiSelect, splitValues } from '../../../components/ui/select/multi-select.tsx'
import { localListSeparator } from '../../../i18n/local-list.ts'
import { knownModelsQuery, typeModelsQuery } from '../api.ts'
import { FetchModelsDialog } from '../fetch/fetch-models-dialog.tsx'
import { mappedNames, mappingOf, unlistedTargets } from '../mapping/mapping.ts'
import { MappingEditor, MappingViewSwitch } from '../mapping/mapping-editor.tsx'
import { FormField, FormGroup, type SectionProps } from './form-field.tsx'
import { PlainFields } from './plain-fields.tsx'
import { typeName } from './type-facts.ts'
import { useFetchModels } from './use-fetch-models.ts'

export interface ModelsSectionProps extends SectionProps {
  readonly channel: Channel | undefined
}

/** Edits the models that the channel serves, and their names at the upstream. */
export function ModelsSection(props: ModelsSectionProps) {
  const { t } = useTranslation('channels')
  return (
    <FormSection id="models" title={t('section.models')}>
      <ModelsField {...props} />
      <MappingField {...props} />
      <PlainFields section="models" {...props} />
    </FormSection>
  )
}

const none: readonly string[] = []

function ModelsField({ form, change, problems, channel }: ModelsSectionProps) {
  const { t } = useTranslation('channels')
  const { data: known = [] } = useQuery(knownModelsQuery)
  const { data: byType } = useQuery(typeModelsQuery)
  const related = byType?.[form.type] ?? none
  const options = useMemo(() => [...new Set([...related, ...known])], [related, known])
  const fetching = useFetchModels(form, channel)
  const mapping = useMemo(() => mappingOf(form.modelMapping), [form.modelMapping])
  const add = (names: readonly string[]) => change({ models: [...new Set([...form.models, ...names])] })
  return (
    <div className="flex flex-col gap-2">
      <FormField
        name="models"
        problem={problems.models}
        label={t('field.models')}
        required
        aside={
          form.models.length > 0 && (
            <span className="figures">{t('form.modelCount', { count: form.models.length })}</span>
          )
        }
      >
        <MultiSelect
          values={form.models}
          onValuesChange={(models) => change({ models })}
          options={options}
          placeholder={t('placeholder.models')}
          creatable
          mono
        />
      </FormField>
      <ButtonRow>
        <Button size="sm" icon={Wand2} disabled={related.length === 0} onClick={() => add(related)}>
          {t('models.related')}
        </Button>
        <Button size="sm" icon={ListPlus} disabled={known.length === 0} onClick={() => add(known)}>
          {t('models.all')}
        </Button>
        <Button size="sm" icon={DownloadCloud} loading={fetching.isPending} onClick={fetching.start}>
          {t('models.fetch')}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={Eraser}
          disabled={form.models.length === 0}
          onClick={() => change({ models: [] })}
        >
          {t('models.clear')}
        </Button>
      </ButtonRow>
      {fetching.problem && (
        <p role="alert" className="text-bad text-xs">
          {fetching.problem}
        </p>
      )}
      <CustomNames models={form.models} onAdd={add} />
      {fetching.names && (
        <FetchModelsDialog
          listed={fetching.names}
          models={form.models}
          mapping={mapping}
          onClose={fetching.close}
          onApply={(models) => {
            change({ models })
            fetching.close()
          }}
        />
      )}
    </div>
  )
}

interface CustomNamesProps {
  readonly models: readonly string[]
  readonly onAdd: (names: readonly string[]) => void
}

/** Names that no list has, several at once. */
function CustomNames({ models, onAdd }: CustomNamesProps) {
  const { t } = useTranslation('channels')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')

  function add(): void {
    const all = splitValues(text, [])
    const added = splitValues(text, models)
    setNote(added.length < all.length ? t('models.someExist') : '')
    onAdd(added)
    setText('')
  }

  return (
    <div className="flex flex-col gap-1">
      <div className="flex gap-2">
        <Input
          mono
          value={text}
          placeholder={t('models.customPlaceholder')}
          aria-label={t('models.custom')}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
              return
            event.preventDefault()
            add()
          }}
        />
        <Button disabled={text.trim() === ''} onClick={add}>
          {t('models.add')}
        </Button>
      </div>
      <p className="text-warn text-xs empty:hidden" role="status">
        {note}
      </p>
    </div>
  )
}

const mappingExample = { from: 'gpt-4', to: 'gpt-4o' }

function MappingField({ form, change, problems }: SectionProps) {
  const { t } = useTranslation('channels')
  const unserved = mappedNames(form.modelMapping).filter((name) => !form.models.includes(name))
  const { data: byType } = useQuery(typeModelsQuery)
  // A type without a list may serve anything.
  const related = byType?.[form.type] ?? none
  const unlisted = related.length === 0 ? none : unlistedTargets(form.modelMapping, [related, form.models])
  const onDraftChange = (modelMapping: typeof form.modelMapping) => change({ modelMapping })
  return (
    <FormGroup
      name="modelMapping"
      problem={problems.modelMapping}
      label={t('field.modelMapping')}
      hint={t('hint.modelMapping')}
      aside={<MappingViewSwitch draft={form.modelMapping} onDraftChange={onDraftChange} />}
    >
      <MappingEditor
        draft={form.modelMapping}
        onDraftChange={onDraftChange}
        fromLabel={t('mapping.requested')}
        toLabel={t('mapping.upstream')}
        example={mappingExample}
        suggestions={form.models}
      />
      {unlisted.length > 0 && (
        <p className="text-warn text-xs" role="status">
          {t('mapping.unlisted', { type: typeName(form.type) })}{' '}
          <FirstOf items={unlisted} max={3}>
            {(name, index) => (
              <span key={name}>
                {index > 0 && localListSeparator()}
                {name}
              </span>
            )}
          </FirstOf>
        </p>
      )}
      {unserved.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2 text-warn text-xs" role="status">
          <span>
            {t('mapping.unserved')}{' '}
            <FirstOf items={unserved} max={3}>
              {(name, index) => (
                <span key={name}>
                  {index > 0 && localListSeparator()}
                  {name}
                </span>
              )}
            </FirstOf>
          </span>
          <Button size="sm" variant="ghost" onClick={() => change({ models: [...form.models, ...unserved] })}>
            {t('mapping.serve')}
          </Button>
        </p>
      )}
    </FormGroup>
  )
}
