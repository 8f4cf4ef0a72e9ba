// The pages that create and edit an offer.

import { useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { TextField } from '../../../look/controls';
import { useNavigateFromHere } from '../../../look/navigation';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import {
  shopOfferCreate,
  shopOfferUpdate,
  type Category,
  type ChangedOffer,
  type NewOffer,
  type Offer,
  type OfferSaved,
} from '../../../sdk';
import { shopOfferFindOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { idOf } from '../panel/address';
import { report } from '../panel/report';
import { Conflict } from '../versions/conflict';
import { useDraft } from '../versions/draft';
import { useReloadOfChanges } from '../versions/reload';
import { Restored } from '../versions/restored';
import { ArchiveOffer } from './archive';
import { catalogueOptions, type Catalogue } from './catalogue';
import { OfferForm, useOfferFields } from './form';
import { CurrentStock, StockAction } from './stock';
import { offers } from './texts';
import { fieldsOf, NEW_GRANT, valuesOf, type OfferValues } from './values';

/** The distance of two positions, so that something can be inserted between them. */
const STEP = 10;

function AllOffers() {
  const t = useTexts(offers);
  return <Link href={href('staffPage', { page: 'offers' })}>{t.all}</Link>;
}

export function NewOfferPage() {
  const t = useTexts(offers);
  const catalogue = useQuery(catalogueOptions());
  return (
    <Page title={t.create} aside={<AllOffers />}>
      <Loaded query={catalogue}>
        {(data) => {
          const [first] = data.categories;
          if (first) return <NewOfferForm catalogue={data} first={first} />;
          return (
            <p>
              {t.noCategory} <Link href={href('staffItem', { page: 'categories', id: 'new' })}>{t.createCategory}</Link>
            </p>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NewOfferForm({ catalogue, first }: { catalogue: Catalogue; first: Category }) {
  const t = useTexts(offers);
  const navigate = useNavigateFromHere();
  const [search] = useSearchParams();
  const wanted = idOf(search.get('category') ?? undefined);
  const chosen = catalogue.categories.find(({ category_id }) => category_id === wanted) ?? first;
  const draft = useDraft<OfferValues>(
    'offers/new',
    {
      category_id: chosen.category_id,
      name: '',
      description: '',
      picture: '',
      price: '',
      grants: [NEW_GRANT],
      account_limit: '',
      hidden: false,
      stock: '',
    },
    0,
  );
  const { stock = '' } = draft.draft.values;
  const command = useCommand<NewOffer, OfferSaved>({
    name: 'offer.create/new',
    send: (body, headers) => shopOfferCreate({ body, headers }),
    onDone: (_, sent) => {
      if (draft.created({ ...body(), position: sent.position }, sent)) navigate(href('staffPage', { page: 'offers' }));
      report(t.created(sent.name), { action: 'shop.create_offer' });
    },
  });
  const body = (): NewOffer => {
    const fields = fieldsOf(draft.draft.values);
    const siblings = catalogue.offers.filter(({ category_id }) => category_id === fields.category_id);
    const position = Math.max(0, ...siblings.map((offer) => offer.position)) + STEP;
    return { ...fields, position, ...(stock === '' ? { unlimited: true } : { stock: Number(stock) }) };
  };
  return (
    <>
      <Restored draft={draft} />
      <OfferForm draft={draft} categories={catalogue.categories} command={command} body={body}>
        <TextField
          label={t.stock}
          hint={t.newStockHint}
          type="number"
          min="0"
          max="1000000"
          value={stock}
          onValue={(typed) => draft.change({ stock: typed })}
        />
      </OfferForm>
    </>
  );
}

export function OfferPage({ id }: { id: number }) {
  const t = useTexts(offers);
  const offer = useQuery(shopOfferFindOptions({ path: { id } }));
  const catalogue = useQuery(catalogueOptions());
  return (
    <Page title={offer.data?.name ?? t.title} aside={<AllOffers />}>
      <Loaded query={offer}>
        {(data) => (
          <Loaded query={catalogue}>{({ categories }) => <Editor offer={data} categories={categories} />}</Loaded>
        )}
      </Loaded>
    </Page>
  );
}

function Editor({ offer, categories }: { offer: Offer; categories: Category[] }) {
  const t = useTexts(offers);
  const stored = valuesOf(offer);
  const draft = useDraft<OfferValues>(`offers/${offer.offer_id}`, stored, offer.version);
  const fields = useOfferFields(categories);
  const command = useCommand<ChangedOffer, OfferSaved>({
    name: `offer.edit/${offer.offer_id}`,
    send: (body, headers) => shopOfferUpdate({ body, headers }),
    onDone: (result, body) => {
      draft.saved(valuesOf(body), result?.version ?? body.expected_version + 1);
      report(t.saved(body.name), { action: 'shop.edit_offer' });
    },
  });
  useReloadOfChanges(command);
  const body = (): ChangedOffer => {
    const changed = fieldsOf(draft.draft.values);
    return {
      offer_id: offer.offer_id,
      expected_version: draft.draft.version,
      position: offer.position,
      ...changed,
      ...(changed.account_limit === undefined && { no_account_limit: true }),
    };
  };
  return (
    <>
      <Restored draft={draft} />
      {draft.isChanged && offer.version > draft.draft.version ? (
        <Conflict
          draft={draft.draft}
          theirs={{ values: stored, version: offer.version }}
          fields={fields}
          onMerged={(merged) => {
            command.reset();
            draft.replace(merged);
          }}
        />
      ) : (
        <OfferForm draft={draft} categories={categories} command={command} body={body} />
      )}
      <section class="sheet">
        <h2>{t.stock}</h2>
        <CurrentStock offer={offer} />
        <p class="faint">{t.stockIntro}</p>
        <div class="row">
          <StockAction offer={offer} />
        </div>
      </section>
      <div>
        <ArchiveOffer offer={offer} onDone={draft.discard} />
      </div>
    </>
  );
}
