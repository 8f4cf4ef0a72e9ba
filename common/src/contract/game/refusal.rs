//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    GameRefusal {
        NotFound CharacterNotFound "character_not_found" "This character does not exist.";
        NotFound LinkCodeNotFound "link_code_not_found" "This link code does not exist, was used, or has expired.";
        Forbidden ImportNotAllowed "import_not_allowed" "No administrator has allowed this game server to import accounts, or the day is over.";
        NotFound DeliveryNotFound "delivery_not_found" "This delivery does not exist.";
        Conflict DeliveryEnded "delivery_ended" "This delivery is delivered or discarded already.";
        Conflict DeliveryLeased "delivery_leased" "A game server is delivering this at the moment. Try again in a minute.";
        Conflict StockMissing "out_of_stock" "The offer does not have enough pieces left. Add some first.";
        Conflict CoinsReturned "coins_returned" "The buyer has the coins of this delivery again.";
        Conflict PeriodInTheFuture "period_in_the_future" "The period ends in the future.";
    }
}
