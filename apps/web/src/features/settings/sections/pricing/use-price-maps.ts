import { useSettingText } from '../../fields/use-setting-text.ts'
import { mapObject, readMap } from '../../model/json-maps.ts'
import type { PriceMaps } from '../../model/prices.ts'

/** The typed price maps as one thing; `maps` is missing while one of them is no JSON object. */
export function usePriceMaps() {
  const texts = {
    perCall: useSettingText('ModelPrice'),
    ratio: useSettingText('ModelRatio'),
    completion: useSettingText('CompletionRatio'),
  }
  const perCall = readMap(texts.perCall.text)
  const ratio = readMap(texts.ratio.text)
  const completion = readMap(texts.completion.text)
  const maps: PriceMaps | undefined = perCall && ratio && completion && { perCall, ratio, completion }
  return {
    maps,
    problems: [texts.perCall.error, texts.ratio.error, texts.completion.error],
    change(next: PriceMaps) {
      for (const name of ['perCall', 'ratio', 'completion'] as const)
        if (next[name] !== maps?.[name]) texts[name].change(mapObject(next[name]))
    },
  }
}
