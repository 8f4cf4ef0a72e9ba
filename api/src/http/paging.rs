//! The page that a request selects.

use guildhall_common::{
    contract::values::{Limit, Page},
    invalid_value::InvalidValue,
};

use crate::http::{cursor::Cursor, problem::Problem};

/// The maximum number of items that are counted, and that can be reached by the number of a page. Each costs the time to read it.
pub(crate) const MAX_COUNTED: i64 = 10_000;

/// The page of a list if the request names none.
pub(crate) fn first_page() -> Page {
    Page::try_from(1).expect("1 is a page")
}

/// The page size of a list if the request names none.
pub(crate) fn default_limit() -> Limit {
    Limit::try_from(20).expect("20 is a limit")
}

/// The parameters of a request for a page.
#[derive(Debug, Clone)]
pub(crate) struct Paging {
    pub(crate) page: Page,
    pub(crate) limit: Limit,
    /// The place from which the pages count. None is the beginning of the list.
    pub(crate) after: Option<Cursor>,
}

impl Paging {
    pub(crate) fn new(page: Page, limit: Limit, after: Option<Cursor>) -> Self {
        Self { page, limit, after }
    }

    /// The rows of the page, which counts from the item with these sort keys.
    ///
    /// # Errors
    /// 400 when the page is too far from there.
    pub(crate) fn rows<P>(&self, after: Option<P>) -> Result<PageRows<P>, Problem> {
        let offset = self.page.offset(self.limit);
        if offset >= MAX_COUNTED {
            let detail = format!(
                "must be a page of the first {MAX_COUNTED} items: for later ones, send `next` of a response as `after`"
            );
            // Rounded up: the last page may begin within the counted items and end after them.
            let last = (MAX_COUNTED + self.limit.get() - 1) / self.limit.get();
            return Err(Problem::invalid("page", InvalidValue { detail, ..InvalidValue::range(1, last) }));
        }
        Ok(PageRows { offset, limit: self.limit.get() + 1, after })
    }
}

/// The rows that a query returns for a page.
#[derive(Debug)]
pub(crate) struct PageRows<P> {
    /// The number of rows before the page.
    pub(crate) offset: i64,
    /// One more than the items of the page: the last row shows that there is a next page.
    pub(crate) limit: i64,
    /// The sort keys of the item before the first page.
    pub(crate) after: Option<P>,
}

impl<P> PageRows<P> {
    /// The first rows.
    pub(crate) fn first(limit: i64) -> Self {
        Self { offset: 0, limit, after: None }
    }

    /// The number of rows up to the end of the page.
    pub(crate) fn end(&self) -> i64 {
        self.offset + self.limit
    }
}
