import { Link } from 'wouter-preact';
import { texts, useTexts } from '../language/language';
import { Page } from '../look/page';
import { Empty } from '../look/query';
import { href } from '../routes';

const notFound = texts({
  en: { title: 'No such page', text: 'There is no page with this address.', front: 'To the news' },
  pt: { title: 'Página inexistente', text: 'Não há página com este endereço.', front: 'Ir para as notícias' },
  es: { title: 'Página inexistente', text: 'No hay ninguna página con esta dirección.', front: 'Ir a las noticias' },
});

export function NotFoundPage() {
  const t = useTexts(notFound);
  return (
    <Page title={t.title}>
      <Empty>
        <p>{t.text}</p>
        <Link class="button" href={href('front')}>
          {t.front}
        </Link>
      </Empty>
    </Page>
  );
}
