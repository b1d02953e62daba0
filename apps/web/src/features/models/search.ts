import { listParams } from '../../components/list/list-search.ts'
import { enumParam, integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Ways to show a price. */
export const priceViews = ['prices', 'ratios'] as const
export type PriceView = (typeof priceViews)[number]

/** Parameters of the page in the URL. */
export const modelsSearch = searchParams({
  page: listParams.page,
  sort: listParams.sort,
  keyword: textParam,
  /** Only models without a price. */
  state: enumParam(['unpriced']),
  vendor: textParam,
  /** Only models that this channel serves. */
  channel: integerParam,
  /** Currency when absent. */
  view: enumParam(priceViews),
  /** The model whose price is open. */
  price: textParam,
})
export type ModelsSearch = ReturnType<typeof modelsSearch>
